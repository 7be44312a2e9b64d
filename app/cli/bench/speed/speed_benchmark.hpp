// The best of a problem's kernels beside a rival, on this machine's GPU.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/bench/speed/speed_table.hpp"
#include "app/cli/shared/catalogue.hpp"
#include "app/cli/shared/live/live_session.hpp"

namespace rooftile::cli {

struct Contest {
  std::string title;
  std::string rival;                    // a kernel; empty: the DRAM peak
  std::vector<std::string> contenders;  // the fastest place of all of them counts
  std::vector<Parameters> sizes;
  std::vector<int> drawn_steps{};  // of a product of matrices: sizes are drawn, in turn multiples of these
};

class SpeedBenchmark {
 public:
  // options must outlive it. A search for each kernel and size chooses among so many places at most, and
  // launches so many. Throws Error without a device.
  SpeedBenchmark(const Options& options, std::size_t places, std::size_t launches);

  // Each kernel stands where "Find the best" ends with cold caches; both are timed there once more, and warm.
  SpeedRow row(const Contest& contest, const Parameters& size);
  // By counters and clock, else as quoted; empty where neither is known.
  std::optional<BytesPerSecond> dram_peak() const;
  std::string gpu() const { return session_.device()->name; }

 private:
  std::optional<Configuration> found(const std::string& kernel, const Parameters& size);
  std::optional<Configuration> fastest(const std::vector<std::string>& kernels, const Parameters& size);
  std::optional<Point> timed(std::optional<Configuration> place, Caches caches);
  Parameters dials(const Point& point) const;

  const Options& options_;
  std::vector<Manifest> catalogue_;
  Session session_;
  std::size_t places_, launches_;
};

}  // namespace rooftile::cli
