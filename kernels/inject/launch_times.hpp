// When the launches of a kernel began and how long they took, in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/record/point.hpp"

namespace rooftile::inject {

class LaunchTimes {
 public:
  void add(std::uint64_t start_ns, Seconds took);
  // Evenly thinned: all launches, or every second, fourth, ... one. first_ns: where the time axis begins.
  std::vector<LaunchTime> since(std::uint64_t first_ns) const;

  static constexpr std::size_t most = 64;

 private:
  struct Launch {
    std::uint64_t start_ns;
    Seconds took;
  };
  std::size_t seen_ = 0, stride_ = 1;
  std::vector<Launch> kept_;
};

}  // namespace rooftile::inject
