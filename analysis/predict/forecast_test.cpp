#include "analysis/predict/forecast.hpp"

#include <gmock/gmock.h>

#include "analysis/manifest/combinations.hpp"
#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/gpu_table_file.hpp"
#include "analysis/text/error.hpp"

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

std::vector<Forecast> forecasts(const char* kernel, const char* gpu, const CompiledAt& compiled) {
  const Manifest& manifest = find_kernel(bundled_kernels(), kernel);
  const Gpu& chosen = gpu_called(gpu);
  std::vector<Forecast> all;
  for (const Parameters& place : every_combination(manifest)) {
    all.push_back(forecast(manifest, place, chosen, datasheet_roofs(chosen), compiled));
  }
  return all;
}

TEST(Forecast, SaysOfEachPlaceWhatIsSaidOfItAlone) {
  const Gpu& gpu = gpu_called("a6000");
  const Manifest& manifest = find_kernel(bundled_kernels(), "sgemm_tiled");
  const auto places = every_combination(manifest);
  const auto all = forecasts("sgemm_tiled", "a6000", forty_registers);
  ASSERT_EQ(all.size(), places.size());
  for (const std::size_t i : {std::size_t{0}, all.size() / 2, all.size() - 1}) {
    const Model alone = model(manifest, places[i], gpu.sm_count);
    const auto prediction =
        predict(alone, forty_registers({}, gpu.cc), gpu, datasheet_roofs(gpu), Caches::cold);
    EXPECT_EQ(all[i].prediction->time, prediction->time);
    EXPECT_EQ(all[i].prediction->basis, "what its kernel.toml states alone and 40 registers compiled for 8.6");
    EXPECT_EQ(all[i].launch, alone.launch);
    EXPECT_FALSE(all[i].why_not);
  }
}

// The grid has as many blocks as the GPU has SMs, each for several tiles.
TEST(Forecast, CountsTheSmsOfEachGpu) {
  const Manifest& manifest = find_kernel(bundled_kernels(), "gemm_bf16_wgmma");
  const Parameters place = complete(manifest, {{"N", 8192}, {"BLOCKS", 1}, {"CLUSTER", 1}});
  for (const auto& [name, blocks] : {std::pair{"H100 PCIe", 114}, {"h200", 132}}) {
    const Gpu& gpu = gpu_called(name);
    EXPECT_EQ(forecast(manifest, place, gpu, datasheet_roofs(gpu), forty_registers).launch.grid.count(), blocks)
        << name;
  }
}

TEST(Forecast, TakesTheModelThatItIsGiven) {
  const Gpu& gpu = gpu_called("h200");
  const Manifest& manifest = find_kernel(bundled_kernels(), "copy");
  const auto from_code = [](const Manifest& kernel, const Parameters& place, const Gpu& on) {
    Model model = stated_model(kernel, place, on);
    model.origin = "the compiled code";
    return model;
  };
  const Parameters place = complete(manifest, {});
  const auto one = forecast(manifest, place, gpu, datasheet_roofs(gpu), forty_registers, from_code);
  EXPECT_EQ(one.prediction->basis, "the compiled code and 40 registers compiled for 9.0");
  const auto none = forecast(manifest, place, gpu, datasheet_roofs(gpu), forty_registers,
                             [](const auto&...) -> Model { throw Error("No compiler is here."); });
  EXPECT_EQ(none.why_not, "No compiler is here.");
}

TEST(Forecast, SaysWhyAPlaceCannotRun) {
  const auto too_many = [](const Parameters&, ComputeCapability cc) {
    return std::optional(Compiled{.cc = cc, .registers = 128});
  };
  const auto all = forecasts("sgemm_tiled", "h200", too_many);
  EXPECT_FALSE(all.front().why_not);
  EXPECT_THAT(all.back().why_not.value_or(""), testing::HasSubstr("more than the 65,536 registers"));
  EXPECT_FALSE(all.back().prediction);
  EXPECT_FALSE(all.back().occupancy);
  EXPECT_THAT(forecasts("gemm_bf16_wgmma", "a100 80", forty_registers).front().why_not.value_or(""),
              testing::HasSubstr("9.0"));
}

TEST(Forecast, WithoutRegistersOccupancyIsNotKnown) {
  const auto all = forecasts("sgemm_tiled", "h200",
                             [](const Parameters&, ComputeCapability) { return std::optional<Compiled>(); });
  EXPECT_FALSE(all.front().occupancy);
  EXPECT_EQ(all.front().prediction->basis,
            "what its kernel.toml states alone, as if registers limited nothing");
}

}  // namespace
}  // namespace rooftile
