// The measured roofs and paces, which our own microbenchmarks reach on this device; kept from one start to the
// next.
#pragma once

#include <algorithm>
#include <functional>

#include "analysis/platform/session_files.hpp"
#include "kernels/worker/roofs/microbenchmark.hpp"

namespace rooftile::worker {

class Ceilings {
 public:
  // sources: the folder kernels/; kept: the folder for roofs.
  Ceilings(const Device& device, const Compiler& compiler, const std::filesystem::path& sources,
           const std::filesystem::path& kept);

  const Roofs& roofs() const { return roofs_; }
  // Measures the roofs of memory, which every kernel needs: a fifth of a second if nothing is kept.
  void measure_memory();
  // Does nothing for a pipe that was measured before, or that has no microbenchmark.
  void measure(const std::string& pipe);
  // Measures one more of the roofs that are left.
  void measure_next();
  // A sentence for each roof that could not be measured; it is left out, and not tried again.
  const std::vector<std::string>& missing() const { return missing_; }
  // The number of roofs and paces left to measure.
  int left() const { return static_cast<int>(levels_.size() + paces_.size() + pipes_.size()); }
  bool is_left(const std::string& pipe) const { return std::ranges::find(pipes_, pipe) != pipes_.end(); }
  // All roofs will be measured again.
  void forget();

 private:
  void measure(MemoryLevel level);
  void measure(Pace pace);
  void attempt(std::string_view roof, const std::function<void()>& measure);

  Microbenchmark bench_;
  platform::RoofsFile file_;
  Roofs roofs_;
  std::vector<MemoryLevel> levels_;  // left to measure
  std::vector<Pace> paces_;
  std::vector<std::string> pipes_;
  std::vector<std::string> missing_;
};

}  // namespace rooftile::worker
