#include "kernels/worker/measure/timer.hpp"

#include <algorithm>
#include <vector>

namespace rooftile::worker {

Timing time_launches(const Device& device, Seconds expected, const std::function<void()>& prepare,
                     const std::function<void()>& launch, const std::function<void()>& meanwhile) {
  const int launches = static_cast<int>(std::clamp(1e-3 / std::max(expected.value, 1e-6), 3.0, 9.0)) | 1;
  std::vector<Event> events;
  events.reserve(2 * static_cast<std::size_t>(launches));
  for (int i = 0; i < launches; ++i) {
    prepare();
    events.emplace_back(device).record();
    launch();
    events.emplace_back(device).record();
  }
  meanwhile();
  std::vector<Seconds> times;
  for (std::size_t i = 0; i < events.size(); i += 2) {
    times.push_back(events[i + 1].since(events[i]));
  }
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times.front(), times.back(), launches};
}

}  // namespace rooftile::worker
