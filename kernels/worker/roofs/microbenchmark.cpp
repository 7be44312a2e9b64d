#include "kernels/worker/roofs/microbenchmark.hpp"

#include <algorithm>

#include "kernels/worker/measure/timer.hpp"

namespace rooftile::worker {
namespace {

// Many runs of a millisecond: a window that draws on the same GPU interrupts between some of them, but would
// interrupt every longer run.
constexpr Seconds short_run{1e-3}, long_run{0.25};
constexpr int repeats = 20;

Arguments with_rounds(Arguments arguments, int rounds) {
  arguments.add(rounds);
  return arguments;
}

}  // namespace

Kernel Microbenchmark::kernel(const std::string& file, const std::string& entry,
                              std::vector<std::string> options) const {
  const Binary binary = compiler_->compile(ceilings_ / file, entry, std::move(options), device_->gpu().cc);
  return {*device_, binary.cubin, entry};
}

Launch Microbenchmark::whole_device(int threads) const {
  Launch launch;
  launch.block.x = threads;
  launch.grid.x = device_->gpu().sm_count * (device_->gpu().sm.threads / threads);
  return launch;
}

Seconds Microbenchmark::once(const Kernel& kernel, const Launch& launch, Arguments& arguments,
                             int times) const {
  const Event begin(*device_), end(*device_);
  begin.record();
  for (int i = 0; i < times; ++i) {
    kernel.launch(launch, arguments);
  }
  end.record();
  return end.since(begin);
}

Seconds Microbenchmark::fastest(const Kernel& kernel, const Launch& launch, Arguments arguments) const {
  const auto nothing = [] {};
  const auto start = [&] { kernel.launch(launch, arguments); };
  return time_round(*device_, repeats, nothing, start, nothing, nullptr).fastest;
}

int Microbenchmark::rounds_of_a_short_run(const Kernel& kernel, const Launch& launch,
                                          const Arguments& arguments) const {
  constexpr int some = 32;
  Arguments few = with_rounds(arguments, some);
  once(kernel, launch, few);  // its code is not on the device yet
  const double rounds = some * (short_run / once(kernel, launch, few));
  return static_cast<int>(std::clamp(rounds, 1.0, 1e6));
}

double Microbenchmark::rounds_per_second(const Kernel& kernel, const Launch& launch,
                                         const Arguments& arguments) const {
  const int rounds = rounds_of_a_short_run(kernel, launch, arguments);
  return rounds / fastest(kernel, launch, with_rounds(arguments, rounds)).value;
}

double Microbenchmark::sustained_rounds_per_second(const Kernel& kernel, const Launch& launch,
                                                   const Arguments& arguments) const {
  const int rounds = rounds_of_a_short_run(kernel, launch, arguments);
  const int times = static_cast<int>(long_run / short_run);
  Arguments complete = with_rounds(arguments, rounds);
  return times * static_cast<double>(rounds) / once(kernel, launch, complete, times).value;
}

double thread_count(const Launch& launch) {
  return static_cast<double>(launch.grid.count() * launch.block.count());
}

}  // namespace rooftile::worker
