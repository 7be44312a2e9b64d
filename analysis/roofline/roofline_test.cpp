#include "analysis/roofline/roofline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/platform/gpu_table_file.hpp"
#include "analysis/roofline/example_point.hpp"

namespace rooftile {
namespace {

using testing::DoubleNear;
using testing::HasSubstr;
using testing::Optional;

std::vector<MemoryLevel> levels_of(const Placement& placement) {
  std::vector<MemoryLevel> levels;
  for (const LevelUse& use : placement.levels) {
    levels.push_back(use.level);
  }
  return levels;
}

TEST(Roofline, RisesToTheRidgeAndStaysLevel) {
  const BytesPerSecond bandwidth{4e12};
  const FlopsPerSecond peak{64e12};
  EXPECT_EQ(ridge_point(bandwidth, peak), FlopsPerByte{16});
  const struct {
    double intensity, attainable;
  } rows[] = {{0, 0}, {0.25, 1e12}, {1, 4e12}, {15.9, 63.6e12}, {16, 64e12}, {17, 64e12}, {1e6, 64e12}};
  for (const auto& row : rows) {
    EXPECT_DOUBLE_EQ(attainable({row.intensity}, bandwidth, peak).value, row.attainable) << row.intensity;
  }
}

TEST(Roofs, TheBestEvidenceIsFoundFirst) {
  Roofs roofs{"GPU",
              {{MemoryLevel::dram, {4.8e12}, Origin::datasheet, ""},
               {MemoryLevel::dram, {4.3e12}, Origin::measured, ""},
               {MemoryLevel::l2, {10e12}, Origin::spec, ""}},
              {{fp32_pipe, {66e12}, Origin::datasheet, ""}, {fp32_pipe, {65e12}, Origin::spec, ""}}};
  EXPECT_EQ(roofs.find(MemoryLevel::dram)->origin, Origin::measured);
  EXPECT_EQ(roofs.find(MemoryLevel::dram, Origin::datasheet)->bandwidth, BytesPerSecond{4.8e12});
  EXPECT_EQ(roofs.find(MemoryLevel::dram, Origin::spec), nullptr);
  EXPECT_EQ(roofs.find(MemoryLevel::shared), nullptr);
  EXPECT_EQ(roofs.find(fp32_pipe)->origin, Origin::spec);
  EXPECT_EQ(roofs.find("BF16 tensor"), nullptr);
  EXPECT_EQ(key(Origin::measured), "measured");
  EXPECT_EQ(key(Origin::spec), "spec");
  EXPECT_EQ(key(Origin::datasheet), "datasheet");
}

TEST(Roofs, IntegersAreOperationsNotFlops) {
  EXPECT_EQ(text(ComputeRoof{fp32_pipe, {65e12}, Origin::measured, ""}), "65.0 TFLOP/s");
  EXPECT_EQ(text(ComputeRoof{int8_tensor_pipe, {1979e12}, Origin::measured, ""}), "1.98 POP/s");
  EXPECT_EQ(text(ComputeRoof{int32_pipe, {33.1e12}, Origin::measured, ""}), "33.1 TOP/s");
}

// L2: NVIDIA's figures of the A100, H100 and V100, an estimate of the T4.
TEST(Roofs, ADatasheetGivesEveryLevelAndFp32) {
  const auto table = platform::load_gpu_table().gpus;
  const struct {
    const char* gpu;
    double dram, l2, shared, fp32;
  } rows[] = {{"h200", 4.8e12, 10.1e12, 33.5e12, 66.9e12},   {"a100 40", 1.555e12, 7.22e12, 19.5e12, 19.5e12},
              {"v100", 0.9e12, 3.13e12, 15.7e12, 15.7e12},   {"t4", 0.32e12, 1.27e12, 4.07e12, 8.1e12},
              {"4090", 1.008e12, 5.16e12, 41.3e12, 82.6e12}, {"orin", 0.2048e12, 0.333e12, 2.7e12, 5.3e12}};
  for (const auto& row : rows) {
    SCOPED_TRACE(row.gpu);
    const Roofs roofs = datasheet_roofs(*find_gpu(table, row.gpu));
    EXPECT_NEAR(roofs.find(MemoryLevel::dram)->bandwidth.value / row.dram, 1, 1e-9);
    EXPECT_NEAR(roofs.find(MemoryLevel::shared)->bandwidth.value / row.shared, 1, 0.02);
    EXPECT_NEAR(roofs.find(fp32_pipe)->peak.value / row.fp32, 1, 1e-9);
    EXPECT_NEAR(roofs.find(MemoryLevel::l2)->bandwidth.value / row.l2, 1, 0.02);
    EXPECT_EQ(roofs.find(MemoryLevel::l1)->bandwidth, roofs.find(MemoryLevel::shared)->bandwidth);
    for (const MemoryRoof& roof : roofs.memory) {
      EXPECT_EQ(roof.origin, Origin::datasheet);
    }
  }
  const Roofs h200 = datasheet_roofs(*find_gpu(table, "h200"));
  EXPECT_DOUBLE_EQ(h200.find(fp64_pipe)->peak.value, 33.5e12);
  EXPECT_DOUBLE_EQ(h200.find(fp16_pipe)->peak.value, 133.8e12);
  EXPECT_DOUBLE_EQ(h200.find(bf16_tensor_pipe)->peak.value, 989.4e12);
  EXPECT_NEAR(h200.find(int32_pipe)->peak.value, 33.5e12, 0.1e12);
  EXPECT_DOUBLE_EQ(h200.find(int8_tensor_pipe)->peak.value, 1978.8e12);
  EXPECT_NEAR(h200.find(warp_issue)->peak.value, 1.045e12, 0.001e12);
  EXPECT_EQ(datasheet_roofs(*find_gpu(table, "p100")).find(int32_pipe), nullptr);
  EXPECT_EQ(datasheet_roofs(*find_gpu(table, "v100")).find(int8_tensor_pipe), nullptr);
  EXPECT_THAT(h200.find(MemoryLevel::dram)->source, HasSubstr("not read in an NVIDIA document"));
  EXPECT_EQ(h200.find(MemoryLevel::shared)->source, "132 SMs x 128 B per clock x 1,980 MHz");
}

TEST(Place, ACountedPointStandsAtItsMedianTimeAndCountedBytes) {
  const auto placement = place(example::counted_gemm(), example::h200_roofs());
  ASSERT_TRUE(placement);
  EXPECT_EQ(placement->evidence, Evidence::counted);
  EXPECT_EQ(placement->time, Seconds{1.843e-3});
  EXPECT_NEAR(placement->performance->value, 9.32e12, 0.01e12);
  EXPECT_THAT(placement->compute_share, Optional(DoubleNear(0.139, 0.001)));
  EXPECT_EQ(placement->compute_roof_origin, Origin::spec);
  const struct {
    MemoryLevel level;
    double intensity;
    std::optional<double> share;
  } rows[] = {{MemoryLevel::dram, 398.6, 0.00547},
              {MemoryLevel::l2, 9.042, 0.1031},
              {MemoryLevel::l1, 7.917, std::nullopt},
              {MemoryLevel::shared, 0.3188, 0.8901}};
  ASSERT_EQ(placement->levels.size(), std::size(rows));
  for (const auto& row : rows) {
    SCOPED_TRACE(title(row.level));
    const LevelUse* use = placement->level(row.level);
    ASSERT_TRUE(use);
    EXPECT_TRUE(use->counted);
    EXPECT_FALSE(use->above_roof);
    EXPECT_NEAR(use->intensity->value / row.intensity, 1, 1e-3);
    EXPECT_EQ(use->share.has_value(), row.share.has_value());
    EXPECT_EQ(use->roof_origin.has_value(), row.share.has_value());
    EXPECT_NEAR(use->share.value_or(0), row.share.value_or(0), 1e-3 * row.share.value_or(0));
  }
}

TEST(Place, ATimedPointTakesTheBytesOfItsModel) {
  const auto placement = place(example::timed_gemm(), example::h200_roofs());
  ASSERT_TRUE(placement);
  EXPECT_EQ(placement->evidence, Evidence::timed);
  EXPECT_EQ(placement->time, Seconds{1.843e-3});
  EXPECT_THAT(levels_of(*placement),
              testing::ElementsAre(MemoryLevel::dram, MemoryLevel::l1, MemoryLevel::shared));
  for (const LevelUse& use : placement->levels) {
    EXPECT_FALSE(use.counted) << title(use.level);
  }
  EXPECT_EQ(placement->level(MemoryLevel::dram)->bytes, Bytes{50'331'648}) << "what cannot be avoided";
  EXPECT_EQ(placement->level(MemoryLevel::l2), nullptr);
}

TEST(Place, ALevelTheChipCouldNotCountIsModelled) {
  Point point = example::counted_gemm();
  point.counters->shared_wavefronts.reset();
  const auto placement = place(point, example::h200_roofs());
  EXPECT_FALSE(placement->level(MemoryLevel::shared)->counted);
  EXPECT_EQ(placement->level(MemoryLevel::shared)->bytes, Bytes{53.7e9});
  EXPECT_TRUE(placement->level(MemoryLevel::dram)->counted);
}

TEST(Place, APredictedPointStandsUnderItsSlowestRoof) {
  const struct {
    const char* what;
    double shared_bytes, dram_bytes, flops;
    double time;
  } rows[] = {{"shared memory", 32.85e9, 1e6, 1e9, 1e-3},
              {"DRAM", 1e6, 8548e6, 1e9, 2e-3},
              {"FP32", 1e6, 1e6, 200.7e9, 3e-3}};
  for (const auto& row : rows) {
    SCOPED_TRACE(row.what);
    Point point = example::predicted_gemm();
    point.modelled.bytes[MemoryLevel::shared] = Bytes{row.shared_bytes};
    point.modelled.bytes[MemoryLevel::dram] = Bytes{row.dram_bytes};
    point.modelled.flops = Flops{row.flops};
    const auto placement = place(point, example::h200_roofs());
    ASSERT_TRUE(placement);
    EXPECT_EQ(placement->evidence, Evidence::predicted);
    EXPECT_NEAR(placement->time.value, row.time, 1e-9);
    EXPECT_NEAR(placement->performance->value, row.flops / row.time, 1e6);
  }
}

TEST(Place, ComputeIsAShareOfTheRoofOfThePointsPipe) {
  Point point = example::counted_gemm();
  point.modelled.pipe = tf32_tensor_pipe;
  point.counters->tensor = point.modelled.flops;
  Roofs roofs = example::h200_roofs();
  EXPECT_EQ(place(point, roofs)->pipe, tf32_tensor_pipe);
  EXPECT_EQ(place(point, roofs)->compute_share, std::nullopt) << "no roof of this pipe";
  EXPECT_TRUE(place(point, roofs)->performance);
  roofs.compute.push_back({tf32_tensor_pipe, {400e12}, Origin::measured, ""});
  const auto performance = *point.modelled.flops / point.timing->median;
  EXPECT_EQ(place(point, roofs)->compute_share, performance / FlopsPerSecond{400e12});

  Point predicted = example::predicted_gemm();
  predicted.modelled.pipe = tf32_tensor_pipe;
  predicted.modelled.bytes = {};
  predicted.modelled.compulsory_dram = {};
  EXPECT_EQ(place(predicted, roofs)->time, *predicted.modelled.flops / FlopsPerSecond{400e12});
}

TEST(Place, OnlyAKernelOfClustersHasDistributedSharedMemory) {
  Point point = example::counted_gemm();
  point.counters->distributed = Bytes{0};
  EXPECT_EQ(place(point, example::h200_roofs())->level(MemoryLevel::distributed), nullptr);
  point.counters->distributed = Bytes{1e6};
  EXPECT_NE(place(point, example::h200_roofs())->level(MemoryLevel::distributed), nullptr);
}

TEST(Place, NothingStandsWithoutRoofsTimeOrSuccess) {
  EXPECT_FALSE(place(example::predicted_gemm(), Roofs{}));
  Point not_stated = example::predicted_gemm();
  not_stated.modelled.states_work = false;
  EXPECT_FALSE(place(not_stated, example::h200_roofs())) << "its bytes are no prediction";
  EXPECT_TRUE(place(example::timed_gemm(), Roofs{})) << "a time needs no roof";

  Point failed = example::counted_gemm();
  failed.failure = "the kernel faulted";
  EXPECT_FALSE(place(failed, example::h200_roofs()));

  Point wrong = example::counted_gemm();
  wrong.verification->passed = false;
  EXPECT_FALSE(place(wrong, example::h200_roofs()));

  Point instant = example::timed_gemm();
  instant.timing->median = {};
  EXPECT_FALSE(place(instant, example::h200_roofs()));
}

TEST(Placement, TheLargestShareIsOfAnyRoof) {
  const std::optional<double> none;
  const struct {
    std::optional<double> dram, l2, compute, largest;
  } rows[] = {{0.3, 0.2, 0.1, 0.3}, {0.3, 0.4, none, 0.4}, {0.3, none, 0.5, 0.5}, {none, none, none, none}};
  for (const auto& row : rows) {
    Placement placement;
    placement.compute_share = row.compute;
    for (const auto& [level, share] : {std::pair(MemoryLevel::dram, row.dram), {MemoryLevel::l2, row.l2}}) {
      placement.levels.push_back(
          {.level = level, .bytes = {}, .bandwidth = {}, .intensity = {}, .share = share, .roof_origin = {}});
    }
    EXPECT_EQ(placement.largest_share(), row.largest) << row.compute.value_or(0);
  }
}

TEST(Place, WithoutFlopsThereIsBandwidthButNoIntensity) {
  Point transpose = example::counted_gemm();
  transpose.modelled.flops.reset();
  transpose.counters->ffma = 0;
  const auto placement = place(transpose, example::h200_roofs());
  ASSERT_TRUE(placement);
  EXPECT_FALSE(placement->performance);
  EXPECT_FALSE(placement->compute_share);
  EXPECT_EQ(placement->levels.size(), 4U);
  for (const LevelUse& use : placement->levels) {
    EXPECT_FALSE(use.intensity) << title(use.level);
    EXPECT_GT(use.bandwidth.value, 0) << title(use.level);
  }
}

TEST(Place, MoreThanOurBenchmarkReachedIsNotFlaggedBelowThePeak) {
  const Point point = example::counted_gemm();
  const BytesPerSecond rate{43.1e6 / 1.843e-3};
  for (const double peak_share : {0.9, 1.01, 1.05}) {
    SCOPED_TRACE(peak_share);
    const Roofs roofs{"GPU",
                      {{MemoryLevel::dram, {rate.value / 1.1}, Origin::measured, ""},
                       {MemoryLevel::dram, {rate.value / peak_share}, Origin::spec, ""}},
                      {}};
    EXPECT_EQ(place(point, roofs)->level(MemoryLevel::dram)->above_roof, peak_share > 1.02);
  }
}

TEST(Place, OnlyCountsAboveMeasuredOrSpecRoofsAreFlagged) {
  const struct {
    Origin origin;
    double share;
    bool above;
  } rows[] = {{Origin::measured, 0.99, false},
              {Origin::measured, 1.019, false},
              {Origin::measured, 1.021, true},
              {Origin::spec, 1.021, true},
              {Origin::datasheet, 1.5, false}};
  for (const auto& row : rows) {
    SCOPED_TRACE(row.share);
    const Point point = example::counted_gemm();
    const double dram_rate = 43.1e6 / 1.843e-3;
    const double flop_rate = 17'179'869'184 / 1.843e-3;
    const Roofs roofs{"GPU",
                      {{MemoryLevel::dram, {dram_rate / row.share}, row.origin, ""}},
                      {{fp32_pipe, {flop_rate / row.share}, row.origin, ""}}};
    const auto placement = place(point, roofs);
    EXPECT_EQ(placement->level(MemoryLevel::dram)->above_roof, row.above);
    EXPECT_EQ(placement->above_compute_roof, row.above);
    EXPECT_NEAR(*placement->level(MemoryLevel::dram)->share, row.share, 1e-9) << "flagged, never clamped";

    Point timed = point;
    timed.counters.reset();
    timed.modelled.bytes[MemoryLevel::dram] = Bytes{43.1e6};
    EXPECT_FALSE(place(timed, roofs)->level(MemoryLevel::dram)->above_roof) << "a model proves nothing";
    EXPECT_FALSE(place(timed, roofs)->above_compute_roof);
  }
}

TEST(Place, TheFrontEndIsHeldAgainstTheWholeTime) {
  Point point = example::counted_gemm();
  point.counters->warp_instructions = 0.3e12 * point.timing->median.value;
  point.counters->issue_use = 0.6;  // so half of the time the SMs had no work
  point.counters->lsu_pipe_use = 0.8;
  Roofs roofs = example::h200_roofs();
  EXPECT_FALSE(place(point, roofs)->issue_share) << "no roof";
  roofs.compute.push_back({warp_issue, {1e12}, Origin::spec, "made up"});
  EXPECT_DOUBLE_EQ(place(point, roofs)->issue_share.value(), 0.3);
  EXPECT_DOUBLE_EQ(place(point, roofs)->load_store_share.value(), 0.4);
  EXPECT_FALSE(place(example::timed_gemm(), roofs)->issue_share) << "not counted";
}

TEST(PlaceInstructions, CountsWarpInstructionsAgainstTransactions) {
  Point point = example::counted_gemm();
  Roofs roofs = example::h200_roofs();
  Point counted = point;
  counted.counters->warp_instructions = 3.2e8;
  EXPECT_FALSE(place_instructions(counted, roofs)->compute_share)
      << "no roof of FLOPs stands in for warp issue";
  roofs.compute.push_back({warp_issue, {1e12}, Origin::spec, "made up"});
  EXPECT_FALSE(place_instructions(point, roofs)) << "not counted";
  point.counters->warp_instructions = 3.2e8;
  const Placement placed = place_instructions(point, roofs).value();
  const double seconds = point.timing->median.value;
  EXPECT_EQ(placed.performance->value, 3.2e8 / seconds);
  EXPECT_EQ(placed.compute_share.value(), 3.2e8 / seconds / 1e12);
  EXPECT_EQ(placed.level(MemoryLevel::dram)->intensity->value,
            32 * 3.2e8 / point.counters->bytes(MemoryLevel::dram)->value);
  EXPECT_EQ(placed.rate(), text(FlopsPerSecond{3.2e8 / seconds}, warp_issue));
}

}  // namespace
}  // namespace rooftile
