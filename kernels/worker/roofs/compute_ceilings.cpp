#include "kernels/worker/roofs/compute_ceilings.hpp"

#include <algorithm>

#include "kernels/worker/roofs/pipe_benchmarks.hpp"

namespace rooftile::worker {

std::vector<std::string> measurable_pipes(const Gpu& gpu) {
  std::vector<std::string> found(pipes.begin(), pipes.end());
  std::erase_if(found,
                [&](const std::string& pipe) { return !pipe_benchmark(pipe, closest_architecture(gpu.cc)); });
  return found;
}

ComputeRoof compute_ceiling(const Microbenchmark& bench, const std::string& pipe) {
  const PipeBenchmark benchmark = pipe_benchmark(pipe, closest_architecture(bench.device().gpu().cc)).value();
  const Kernel kernel = bench.kernel(benchmark.file, benchmark.entry, benchmark.options);
  const Launch launch = bench.whole_device(benchmark.threads);
  Arguments arguments;
  arguments.add(bench.never());
  arguments.append(benchmark.operands);
  const Flops round{thread_count(launch) * benchmark.operations};
  const FlopsPerSecond burst = round * Hertz{bench.rounds_per_second(kernel, launch, arguments)};
  const FlopsPerSecond sustained = round * Hertz{bench.sustained_rounds_per_second(kernel, launch, arguments)};
  return {pipe, std::max(burst, sustained), Origin::measured, benchmark.how, sustained};
}

}  // namespace rooftile::worker
