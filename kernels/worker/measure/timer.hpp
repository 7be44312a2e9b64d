// The time of a launch by events, outside any counted range.
#pragma once

#include <functional>
#include <vector>

#include "analysis/record/point.hpp"
#include "kernels/worker/measure/launch_gate.hpp"

namespace rooftile::worker {

// Launches so often, and waits once at the end. `prepare` runs before every launch and is not timed. meanwhile:
// called before the wait. gate: keeps the host's launch latency out of the times; without a gate, times of
// launches under 10 us hold some of it.
Timing time_round(const Device& device, int launches, const std::function<void()>& prepare,
                  const std::function<void()>& launch, const std::function<void()>& meanwhile,
                  LaunchGate* gate);

// In rounds of about 1 ms, 3 to 9 launches each, until one is steady. expected: what one launch takes, roughly.
Timing time_launches(const Device& device, Seconds expected, const std::function<void()>& prepare,
                     const std::function<void()>& launch, const std::function<void()>& meanwhile,
                     LaunchGate* gate);

// The time between the events around a launch, and between two events behind it with nothing between them.
struct Interval {
  Seconds launch, nothing;
};

// The time of the launches alone: the time of the events themselves is subtracted. It is 1.25 us on H100 and
// H200; without that, times were longer than Nsight Compute's by as much. Never below 0: an interrupted pair of
// events subtracts too much, and the rest is unsteady then.
Timing timing_of(const std::vector<Interval>& intervals);

// The first of at most so many rounds that is steady and without launch latency, else the round with the least
// latency, or the steadiest. A window that draws on the same GPU interrupts some launches, but not those of the
// next round. The launches of the other rounds are set aside.
Timing steadiest(int most_rounds, const std::function<Timing()>& round);

}  // namespace rooftile::worker
