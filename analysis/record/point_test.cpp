#include "analysis/record/point.hpp"

#include <gtest/gtest.h>

namespace rooftile {
namespace {

TEST(Counters, FlopsWeighEachInstruction) {
  const struct {
    const char* instruction;
    std::optional<double> Counters::*counter;
    double on_fp32, on_fp16;
  } rows[] = {
      {"FADD", &Counters::fadd, 1, 1},  {"FMUL", &Counters::fmul, 1, 1},  {"FFMA", &Counters::ffma, 2, 2},
      {"DADD", &Counters::dadd, 1, 1},  {"DMUL", &Counters::dmul, 1, 1},  {"DFMA", &Counters::dfma, 2, 2},
      {"HADD2", &Counters::hadd, 0, 2}, {"HMUL2", &Counters::hmul, 0, 2}, {"HFMA2", &Counters::hfma, 0, 4},
  };
  Counters all;
  for (const auto& row : rows) {
    Counters one;
    one.*row.counter = 10;
    EXPECT_EQ(one.flops(fp32_pipe), Flops{10 * row.on_fp32}) << row.instruction;
    EXPECT_EQ(one.flops(fp16_pipe), Flops{10 * row.on_fp16}) << row.instruction;
    all.*row.counter = 10;
  }
  EXPECT_EQ(all.flops(fp32_pipe), Flops{80});
  EXPECT_EQ(all.flops(fp16_pipe), Flops{160});
}

TEST(Counters, TheBusiestPipeHasMostFlops) {
  const auto busiest = [](double ffma, double dfma, double hfma, double bf16) {
    Counters counters;
    counters.fadd = counters.fmul = counters.dadd = counters.dmul = counters.hadd = counters.hmul = 0;
    counters.ffma = ffma;
    counters.dfma = dfma;
    counters.hfma = hfma;
    counters.tensor_by_pipe = {{bf16_tensor_pipe, Flops{bf16}}};
    return counters.busiest_pipe(0);
  };
  EXPECT_EQ(busiest(0, 0, 0, 0), fp32_pipe);
  EXPECT_EQ(busiest(10, 9, 4, 19), fp32_pipe);
  EXPECT_EQ(busiest(10, 11, 4, 19), fp64_pipe);
  EXPECT_EQ(busiest(10, 9, 6, 19), fp16_pipe) << "two lanes";
  EXPECT_EQ(busiest(10, 9, 4, 21), bf16_tensor_pipe);
  EXPECT_EQ(Counters{}.busiest_pipe(0), fp32_pipe);
  Counters constants;
  constants.hadd = constants.hmul = 0;
  constants.hfma = 80;
  EXPECT_EQ(constants.busiest_pipe(10), fp32_pipe) << "8 a thread may load constants";
  EXPECT_EQ(constants.busiest_pipe(9), fp16_pipe);
  EXPECT_EQ(constants.busiest_pipe(10, true), fp16_pipe) << "its PTX says that it computes in half precision";
  EXPECT_EQ(constants.busiest_pipe(9, false), fp32_pipe) << "its PTX says that it does not";
  constants.hmul = 1;
  EXPECT_EQ(constants.busiest_pipe(10), fp16_pipe) << "HMUL2 loads no constant";
}

TEST(Counters, WideningHalfToFloatIsNoArithmeticInHalf) {
  Counters dot;  // of half vectors, summed in float: two HADD2 widen for each FFMA
  dot.fadd = dot.fmul = dot.hmul = dot.hfma = 0;
  dot.hadd = 2000;
  dot.ffma = 1000;
  EXPECT_EQ(dot.busiest_pipe(10), fp32_pipe);
  EXPECT_EQ(dot.busiest_pipe(10, false), fp32_pipe);
}

TEST(Counters, FlopsByPipeAreThoseThatWereCounted) {
  Counters counters;
  counters.fadd = 1;
  counters.fmul = 2;
  counters.ffma = 3;
  counters.dadd = 5;
  counters.tensor_by_pipe = {{fp8_tensor_pipe, Flops{7}}};
  EXPECT_EQ(counters.flops_by_pipe(),
            (std::map<std::string, Flops>{{fp32_pipe, Flops{9}}, {fp8_tensor_pipe, Flops{7}}}));
  EXPECT_EQ(counters.flops(fp8_tensor_pipe), Flops{7});
}

TEST(Counters, WhatPassesBetweenBlocksOfAClusterIsNotL1Traffic) {
  Counters counters;
  counters.l1 = Bytes{1000};
  EXPECT_EQ(counters.bytes(MemoryLevel::l1), Bytes{1000});
  counters.distributed = Bytes{300};
  EXPECT_EQ(counters.bytes(MemoryLevel::l1), Bytes{700});
  EXPECT_EQ(counters.bytes(MemoryLevel::distributed), Bytes{300});
}

TEST(Counters, NoneCountedIsNotNoneExecuted) {
  EXPECT_EQ(Counters{}.flops(fp32_pipe), std::nullopt);
  Counters idle;
  idle.ffma = 0;
  EXPECT_EQ(idle.flops(fp32_pipe), Flops{0});
}

TEST(Counters, AGemmCountsItsFusedAdditionsExactly) {
  Counters gemm;
  gemm.fadd = 0;
  gemm.fmul = 4'194'304;
  gemm.ffma = 8'589'934'592;
  EXPECT_EQ(gemm.flops(fp32_pipe), Flops{17'184'063'488});
}

TEST(Counters, WorkOnATensorPipeIsItsTensorOperations) {
  Counters gemm;
  gemm.ffma = 64 * 64;  // C = alpha sum + beta C
  EXPECT_EQ(gemm.flops(bf16_tensor_pipe), std::nullopt);
  gemm.tensor = Flops{2.0 * 64 * 64 * 64};
  EXPECT_EQ(gemm.flops(bf16_tensor_pipe), Flops{2.0 * 64 * 64 * 64});
  EXPECT_EQ(gemm.flops(fp32_pipe), Flops{2.0 * 64 * 64});
  Point point;
  EXPECT_EQ(point.counted_flops(), std::nullopt);
  point.counters = gemm;
  point.modelled.pipe = tf32_tensor_pipe;
  EXPECT_EQ(point.counted_flops(), gemm.tensor);
}

TEST(Pipes, ShortNamesAreForTables) {
  EXPECT_EQ(short_name(fp32_pipe), "FP32");
  EXPECT_EQ(short_name(bf16_tensor_pipe), "BF16 tensor");
  EXPECT_FALSE(is_tensor(fp16_pipe));
  EXPECT_TRUE(is_tensor(fp16_tensor_pipe));
}

TEST(Counters, BytesByLevel) {
  Counters counters;
  counters.dram_read = Bytes{30};
  for (const MemoryLevel level : memory_levels) {
    EXPECT_EQ(counters.bytes(level), std::nullopt) << title(level);
  }
  counters.dram_write = Bytes{12};
  counters.l2 = Bytes{100};
  counters.l1 = Bytes{200};
  counters.shared_wavefronts = 3;
  EXPECT_EQ(counters.bytes(MemoryLevel::dram), Bytes{42});
  EXPECT_EQ(counters.bytes(MemoryLevel::l2), Bytes{100});
  EXPECT_EQ(counters.bytes(MemoryLevel::l1), Bytes{200});
  EXPECT_EQ(counters.bytes(MemoryLevel::shared), Bytes{3 * 128});
}

TEST(Point, EvidenceGrowsWithWhatIsKnown) {
  Point point;
  EXPECT_EQ(point.evidence(), Evidence::predicted);
  point.timing = Timing{{1}, {1}, {1}, 1};
  EXPECT_EQ(point.evidence(), Evidence::timed);
  point.counters = Counters{};
  EXPECT_EQ(point.evidence(), Evidence::counted);
  point.timing.reset();
  EXPECT_EQ(point.evidence(), Evidence::predicted) << "counters alone hold no time";
}

TEST(Timing, SpreadIsTheRangeOverTheMedian) {
  EXPECT_NEAR((Timing{{2e-3}, {1.9e-3}, {2.1e-3}, 7}.spread()), 0.1, 1e-12);
  EXPECT_EQ(Timing{}.spread(), 0);
}

// Events resolve half a microsecond, and a time lies between two.
TEST(Timing, IsUnsteadyBeyondTenPercentAndTwoStepsOfTheTimer) {
  const struct {
    double median, range;  // [s]
    bool steady;
  } rows[] = {
      {2e-3, 0.19e-3, true}, {2e-3, 0.21e-3, false}, {20e-6, 2.9e-6, true}, {20e-6, 3.1e-6, false},
      {5e-6, 1.1e-6, true},  {5e-6, 1.6e-6, false},  {1e-6, 1e-6, true},    {1e-6, 1.2e-6, false},
  };
  for (const auto& row : rows) {
    EXPECT_EQ((Timing{{row.median}, {row.median}, {row.median + row.range}, 7}.steady()), row.steady)
        << row.median << " s, " << row.range;
  }
}

TEST(MemoryLevel, IsNamedForPeopleAndFiles) {
  const struct {
    MemoryLevel level;
    const char* title;
    const char* key;
  } rows[] = {{MemoryLevel::dram, "DRAM", "dram"},
              {MemoryLevel::l2, "L2", "l2"},
              {MemoryLevel::l1, "L1", "l1"},
              {MemoryLevel::shared, "shared memory", "shared"}};
  for (const auto& row : rows) {
    EXPECT_EQ(title(row.level), row.title);
    EXPECT_EQ(key(row.level), row.key);
    EXPECT_EQ(memory_level(row.key), row.level);
  }
  EXPECT_EQ(memory_level("l3"), std::nullopt);
  EXPECT_EQ(memory_level("DRAM"), std::nullopt);
}

TEST(ModelFigures, KeepWhatASessionNeedsOfTheModel) {
  Model model;
  model.flops = Flops{8};
  model.pipe = fp64_pipe;
  model.elements = 4;
  model.compulsory_dram = {16};
  model.bytes[MemoryLevel::l2] = Bytes{64};
  const ModelFigures kept = figures_of(model);
  EXPECT_EQ(kept.flops, Flops{8});
  EXPECT_EQ(kept.pipe, fp64_pipe);
  EXPECT_EQ(kept.elements, 4);
  EXPECT_EQ(kept.compulsory_dram, Bytes{16});
  EXPECT_EQ(kept.bytes[MemoryLevel::l2], Bytes{64});
  EXPECT_EQ(kept.bytes[MemoryLevel::l1], std::nullopt);
}

}  // namespace
}  // namespace rooftile
