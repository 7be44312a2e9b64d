// The peaks of an H200, read from counter data recorded on one.
#include "kernels/worker/roofs/spec_roofs.hpp"

#include <gmock/gmock.h>

#include <filesystem>

#include "kernels/worker/count/counter_config.hpp"
#include "kernels/worker/count/recorded_launch.hpp"

namespace rooftile::worker {
namespace {

using testing::HasSubstr;

// 132 SMs. A cycle of one: 64 FP64 FMAs, 128 FP32, 128 packed FP16, 64 IMADs, 128 B of L1 or shared memory; the
// tensor cores 1,024 dense FMAs in half precision, half of that in TF32, twice in 8 bits, 128 in FP64.
TEST(SpecRoofs, AreWhatTheUnitsOfAnH200AddUpTo) {
  const auto cupti = load_cupti();
  ASSERT_TRUE(cupti);
  const CounterRecording launch = recorded_launch("h200_transpose_tiled");
  const CounterConfig config(*cupti, launch.chip, {});
  Counters counters;
  counters.sm_clock = Hertz{2e9};
  counters.dram_clock = Hertz{3.2e9};
  const Roofs roofs =
      spec_roofs([&](const std::string& metric) { return config.evaluate(launch.image, metric); }, counters);
  const struct {
    const char* pipe;
    double operations_a_cycle;  // of one SM
  } rows[] = {{fp64_pipe, 128},         {fp32_pipe, 256},         {fp16_pipe, 512},
              {int32_pipe, 128},        {fp64_tensor_pipe, 256},  {tf32_tensor_pipe, 2048},
              {bf16_tensor_pipe, 4096}, {fp16_tensor_pipe, 4096}, {fp8_tensor_pipe, 8192},
              {int8_tensor_pipe, 8192}, {warp_issue, 4}};
  for (const auto& row : rows) {
    const ComputeRoof* roof = roofs.find(row.pipe, Origin::spec);
    ASSERT_TRUE(roof) << row.pipe;
    EXPECT_EQ(roof->peak.value, 132 * row.operations_a_cycle * 2e9) << row.pipe;
  }
  EXPECT_EQ(roofs.find(MemoryLevel::shared)->bandwidth.value, 132 * 128 * 2e9);
  EXPECT_EQ(roofs.find(MemoryLevel::dram)->bandwidth.value, 1504 * 3.2e9);
  EXPECT_EQ(roofs.find(MemoryLevel::l2), nullptr) << "its clock was not counted";
  EXPECT_THAT(roofs.find(bf16_tensor_pipe)->source,
              HasSubstr("sparsity_off.sum.peak_sustained = 540,672 a cycle, at 2,000 MHz"));
}

}  // namespace
}  // namespace rooftile::worker
