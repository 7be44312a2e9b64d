// How long prediction and occupancy of every legal place of a kernel take, for all GPUs of the table together,
// where the registers are known.
#include <benchmark/benchmark.h>

#include "analysis/manifest/combinations.hpp"
#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/gpu_table_file.hpp"
#include "analysis/predict/forecast.hpp"

namespace rooftile {
namespace {

void whole_space(benchmark::State& state, const Manifest& kernel, const std::vector<Gpu>& gpus) {
  const auto compiled = [](const Parameters&, ComputeCapability cc) {
    return std::optional(Compiled{.cc = cc, .registers = 64, .static_shared_bytes = 8192, .named_barriers = 1});
  };
  std::size_t places = 0;
  for (auto _ : state) {
    const auto all = every_combination(kernel);
    places = all.size();
    for (const Gpu& gpu : gpus) {
      for (const Parameters& place : all) {
        benchmark::DoNotOptimize(forecast(kernel, place, gpu, datasheet_roofs(gpu), compiled));
      }
    }
  }
  state.counters["places"] = static_cast<double>(places);
}

}  // namespace
}  // namespace rooftile

int main(int argc, char** argv) {
  using namespace rooftile;
  const auto kernels = platform::load_catalogue_with({}).kernels;
  const auto gpus = platform::load_gpu_table().gpus;
  for (const Manifest& kernel : kernels) {
    benchmark::RegisterBenchmark(kernel.name.c_str(), [&](benchmark::State& state) {
      whole_space(state, kernel, gpus);
    })->Unit(benchmark::kMillisecond);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
