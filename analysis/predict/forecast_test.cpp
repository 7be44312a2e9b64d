#include "analysis/predict/forecast.hpp"

#include <gmock/gmock.h>

#include "analysis/manifest/combinations.hpp"
#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/gpu_table_file.hpp"

namespace rooftile {
namespace {

const std::vector<Manifest>& bundled_kernels() {
  static const std::vector<Manifest> all = platform::load_catalogue_with({}).kernels;
  return all;
}

const Gpu& gpu_called(const char* name) {
  static const std::vector<Gpu> table = platform::load_gpu_table().gpus;
  return *find_gpu(table, name);
}

std::optional<Compiled> forty_registers(const Parameters&, ComputeCapability cc) {
  return Compiled{.cc = cc, .registers = 40, .static_shared_bytes = 2048};
}

std::vector<Forecast> forecast(const char* kernel, const char* gpu, const CompiledAt& compiled) {
  const Manifest& manifest = find_kernel(bundled_kernels(), kernel);
  const Gpu& chosen = gpu_called(gpu);
  return Forecaster(manifest, every_combination(manifest)).on(chosen, datasheet_roofs(chosen), compiled);
}

TEST(Forecaster, SaysOfEachPlaceWhatIsSaidOfItAlone) {
  const Gpu& gpu = gpu_called("a6000");
  const Manifest& manifest = find_kernel(bundled_kernels(), "sgemm_tiled");
  const auto places = every_combination(manifest);
  const auto all = forecast("sgemm_tiled", "a6000", forty_registers);
  ASSERT_EQ(all.size(), places.size());
  for (const std::size_t i : {std::size_t{0}, all.size() / 2, all.size() - 1}) {
    const Model alone = model(manifest, places[i], gpu.sm_count);
    const auto prediction =
        predict(alone, forty_registers({}, gpu.cc), gpu, datasheet_roofs(gpu), Caches::cold);
    EXPECT_EQ(all[i].prediction->time, prediction->time);
    EXPECT_EQ(all[i].prediction->basis, "the kernel's formulas and 40 registers compiled for 8.6");
    EXPECT_EQ(all[i].launch, alone.launch);
    EXPECT_FALSE(all[i].why_not);
  }
}

// The grid has as many blocks as the GPU has SMs, each for several tiles.
TEST(Forecaster, CountsTheSmsOfEachGpu) {
  const Manifest& manifest = find_kernel(bundled_kernels(), "gemm_bf16_wgmma");
  Forecaster both(manifest, {complete(manifest, {{"N", 8192}, {"BLOCKS", 1}, {"CLUSTER", 1}})});
  for (const auto& [name, blocks] : {std::pair{"H100 PCIe", 114}, {"h200", 132}, {"H100 PCIe", 114}}) {
    const Gpu& gpu = gpu_called(name);
    EXPECT_EQ(both.on(gpu, datasheet_roofs(gpu), forty_registers).at(0).launch.grid.count(), blocks) << name;
  }
}

TEST(Forecaster, SaysWhyAPlaceCannotRun) {
  const auto too_many = [](const Parameters&, ComputeCapability cc) {
    return std::optional(Compiled{.cc = cc, .registers = 128});
  };
  const auto all = forecast("sgemm_tiled", "h200", too_many);
  EXPECT_FALSE(all.front().why_not);
  EXPECT_THAT(all.back().why_not.value_or(""), testing::HasSubstr("more than the 65,536 registers"));
  EXPECT_FALSE(all.back().prediction);
  EXPECT_FALSE(all.back().occupancy);
  EXPECT_THAT(forecast("gemm_bf16_wgmma", "a100 80", forty_registers).front().why_not.value_or(""),
              testing::HasSubstr("9.0"));
}

TEST(Forecaster, WithoutRegistersOccupancyIsNotKnown) {
  const auto all = forecast("sgemm_tiled", "h200",
                            [](const Parameters&, ComputeCapability) { return std::optional<Compiled>(); });
  EXPECT_FALSE(all.front().occupancy);
  EXPECT_EQ(all.front().prediction->basis, "the kernel's formulas, as if registers limited nothing");
}

}  // namespace
}  // namespace rooftile
