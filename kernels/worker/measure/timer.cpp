#include "kernels/worker/measure/timer.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace rooftile::worker {

Timing timing_of(const std::vector<Interval>& intervals) {
  Seconds events = intervals.front().nothing;
  for (const Interval& interval : intervals) {
    events = std::min({events, interval.nothing, interval.launch});
  }
  std::vector<Seconds> times;
  for (const Interval& interval : intervals) {
    times.push_back(interval.launch - events);
  }
  std::sort(times.begin(), times.end());
  return {.median = times[times.size() / 2],
          .fastest = times.front(),
          .slowest = times.back(),
          .launches = static_cast<int>(times.size()),
          .events = events};
}

Timing time_round(const Device& device, int launches, const std::function<void()>& prepare,
                  const std::function<void()>& launch, const std::function<void()>& meanwhile,
                  LaunchGate* gate) {
  if (gate != nullptr) {
    gate->take_not_held();
  }
  std::vector<Event> events;
  for (int i = 0; i < 3 * launches; ++i) {
    events.emplace_back(device);
  }
  for (std::size_t i = 0; i < events.size(); i += 3) {
    prepare();
    const HeldBack until_queued(gate);
    events[i].record();
    launch();
    events[i + 1].record();
    events[i + 2].record();
  }
  meanwhile();
  std::vector<Interval> intervals;
  for (std::size_t i = 0; i < events.size(); i += 3) {
    intervals.push_back({events[i + 1].since(events[i]), events[i + 2].since(events[i + 1])});
  }
  Timing timing = timing_of(intervals);
  if (const int not_held = gate != nullptr ? gate->take_not_held() : 0; not_held > 0) {
    timing.with_latency = not_held;
  }
  return timing;
}

Timing time_launches(const Device& device, Seconds expected, const std::function<void()>& prepare,
                     const std::function<void()>& launch, const std::function<void()>& meanwhile,
                     LaunchGate* gate) {
  const double each = std::max(expected.value, 1e-6);
  const int launches = static_cast<int>(std::clamp(1e-3 / each, 3.0, 9.0)) | 1;
  const auto round = [&] { return time_round(device, launches, prepare, launch, meanwhile, gate); };
  // [s] of launches. For longer launches an interruption is a small part of their time.
  constexpr double most_to_try = 40e-3;
  return steadiest(static_cast<int>(std::clamp(most_to_try / (launches * each), 1.0, 4.0)), round);
}

Timing steadiest(int most_rounds, const std::function<Timing()>& round) {
  const auto flaws = [](const Timing& timing) {
    return std::pair(timing.with_latency.value_or(0), timing.spread());
  };
  Timing best = round();
  int made = best.launches;
  for (int i = 1; i < most_rounds && (best.with_latency || !best.steady()); ++i) {
    const Timing next = round();
    made += next.launches;
    best = flaws(next) < flaws(best) ? next : best;
  }
  if (made > best.launches) {
    best.set_aside = made - best.launches;
  }
  return best;
}

}  // namespace rooftile::worker
