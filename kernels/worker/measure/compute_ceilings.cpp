#include "kernels/worker/measure/compute_ceilings.hpp"

#include <algorithm>

#include "kernels/worker/measure/ways.hpp"

namespace rooftile::worker {

std::vector<std::string> measurable_pipes(const Gpu& gpu) {
  std::vector<std::string> found(pipes.begin(), pipes.end());
  std::erase_if(found, [&](const std::string& pipe) { return find_way(pipe, gpu.cc) == nullptr; });
  return found;
}

ComputeRoof compute_ceiling(const Microbenchmark& bench, const std::string& pipe) {
  const Way& way = *find_way(pipe, bench.device().gpu().cc);
  const Kernel kernel = bench.kernel(way.file, way.entry, way.options);
  const Launch launch = bench.whole_device(way.threads);
  Arguments arguments;
  arguments.add(bench.never());
  arguments.append(way.operands);
  const Flops round{thread_count(launch) * way.operations};
  const FlopsPerSecond burst = round * Hertz{bench.rounds_per_second(kernel, launch, arguments)};
  const FlopsPerSecond sustained = round * Hertz{bench.sustained_rounds_per_second(kernel, launch, arguments)};
  return {pipe, std::max(burst, sustained), Origin::measured, way.how, sustained};
}

}  // namespace rooftile::worker
