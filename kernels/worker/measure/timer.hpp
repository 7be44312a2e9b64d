// The time of a launch by events, outside any counted range.
#pragma once

#include <functional>

#include "analysis/point.hpp"
#include "kernels/worker/cuda/resources.hpp"

namespace rooftile::worker {

// A round launches until about 1 ms has been spent, 3 to 9 times, and waits once at the end. `prepare` runs
// before every launch and is not timed; it keeps the stream busy, so that the host's launch latency is not
// timed either. meanwhile: called while a round runs. expected: what one launch takes, roughly.
Timing time_launches(const Device& device, Seconds expected, const std::function<void()>& prepare,
                     const std::function<void()>& launch, const std::function<void()>& meanwhile);

// The first steady one of at most so many rounds, else the steadiest: a window that draws on the same GPU
// interrupts some launches, and not those of the next round. The others' launches are set aside.
Timing steadiest(int most_rounds, const std::function<Timing()>& round);

}  // namespace rooftile::worker
