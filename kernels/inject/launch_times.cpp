#include "kernels/inject/launch_times.hpp"

#include <algorithm>

namespace rooftile::inject {

void LaunchTimes::add(std::uint64_t start_ns, Seconds took) {
  if (seen_++ % stride_ != 0) {
    return;
  }
  kept_.push_back({start_ns, took});
  if (kept_.size() > most) {
    std::size_t place = 0;
    std::erase_if(kept_, [&](const Launch&) { return place++ % 2 == 1; });
    stride_ *= 2;
  }
}

std::vector<LaunchTime> LaunchTimes::since(std::uint64_t first_ns) const {
  std::vector<LaunchTime> times;
  for (const Launch& launch : kept_) {
    times.push_back({{1e-9 * static_cast<double>(launch.start_ns - first_ns)}, launch.took});
  }
  std::ranges::sort(times, {}, [](const LaunchTime& launch) { return launch.began.value; });
  return times;
}

}  // namespace rooftile::inject
