#include "analysis/verdict/proof.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "analysis/roofline/example_point.hpp"
#include "analysis/verdict/diagnosis.hpp"

namespace rooftile {
namespace {

using State = Check::State;

// The proof as a user sees it: a mark and a sentence per line.
std::vector<std::string> proof(const Point& point, const Roofs& roofs = example::h200_roofs()) {
  std::vector<std::string> lines;
  for (const Check& check :
       prove(point, place(point, roofs).value(), occupancy_of(point, *sm_limits({9, 0})))) {
    lines.push_back((check.state == State::passed   ? "+ "
                     : check.state == State::failed ? "! "
                                                    : "? ") +
                    check.sentence);
  }
  return lines;
}

TEST(Proof, ASoundPointPassesEverything) {
  EXPECT_THAT(proof(example::counted_gemm()),
              testing::ElementsAre("+ verified against the reference", "+ counted FLOPs = model, exactly",
                                   "+ bytes at L1 \u2265 L2 \u2265 DRAM", "+ nothing above its roof",
                                   "+ achieved occupancy 97.5 % of a possible 100 %", "+ clock held 1,980 MHz",
                                   "+ 7 launches, spread 0.5 %, 3 passes"));
}

TEST(Proof, EveryCheckSaysWhatIsHeldAgainstWhat) {
  const Point point = example::counted_gemm();
  for (const Check& check : prove(point, place(point, example::h200_roofs()).value(), std::nullopt)) {
    EXPECT_THAT(check.meaning, testing::EndsWith(".")) << check.sentence;
  }
}

TEST(Proof, CountedFlopsOfAKernelThatStatesNoneAreHeldAgainstNothing) {
  Point point = example::counted_gemm();
  point.modelled.states_work = false;
  point.modelled.flops.reset();
  EXPECT_EQ(proof(point)[1], "? FLOPs counted; no model of this kernel to compare them with");
}

TEST(Proof, WhatWasNotMeasuredIsUnknownNotPassed) {
  EXPECT_THAT(
      proof(example::predicted_gemm()),
      testing::ElementsAre("? not verified", "? FLOPs not counted",
                           "? bytes of L1, L2 and DRAM not all counted", "? no measured roof to compare with",
                           "? achieved occupancy not counted", "? clock not known", "? not timed"));
}

TEST(Proof, TheAchievedOccupancyOfALibrarysKernelIsToldThoughNothingLimitsIt) {
  Point library = example::counted_gemm();
  library.compiled.reset();
  EXPECT_EQ(
      proof(library)[4],
      "? achieved occupancy 97.5 %; the possible occupancy is not known: the kernel was not compiled here");
}

TEST(Proof, ATimedPointIsVerifiedAndRepeated) {
  const auto lines = proof(example::timed_gemm());
  EXPECT_EQ(lines.front(), "+ verified against the reference");
  EXPECT_EQ(lines.back(), "+ 7 launches, spread 0.5 %");
}

TEST(Proof, LaunchesSetAsideAreTold) {
  Point point = example::counted_gemm();
  point.timing->set_aside = 14;
  EXPECT_EQ(proof(point).back(), "+ 7 launches, spread 0.5 %, 14 set aside that differed more, 3 passes");
}

TEST(Proof, WhatIsTakenOffForTheEventsIsTold) {
  Point point = example::counted_gemm();
  point.timing->events = Seconds{1.25e-6};
  EXPECT_EQ(proof(point).back(),
            "+ 7 launches, spread 0.5 %, 1.25 \u00b5s of timer overhead subtracted, 3 passes");
}

TEST(Proof, ShortLaunchesThatDifferByAStepOfTheTimerAreSteady) {
  Point point = example::timed_gemm();
  point.timing = Timing{{5e-6}, {4.6e-6}, {5.7e-6}, 7};
  EXPECT_EQ(proof(point).back(),
            "+ 7 launches, spread 22 % (4.60 \u00b5s to 5.70 \u00b5s): the timer resolves 1.00 \u00b5s");
  point.timing->slowest = Seconds{8e-6};
  EXPECT_EQ(
      proof(point).back(),
      "! 7 launches, spread 68 % (4.60 \u00b5s to 8.00 \u00b5s): something else may have used the GPU, such "
      "as a window, or the clock moved");
}

TEST(Proof, ATimeThatMayHoldLaunchLatencySaysSo) {
  Point point = example::timed_gemm();
  point.timing->with_latency = 2;
  EXPECT_EQ(proof(point).back(), "+ 7 launches, spread 0.5 %, 2 of them may include launch latency");
  point.timing =
      Timing{.median = {5e-6}, .fastest = {5e-6}, .slowest = {5.2e-6}, .launches = 7, .with_latency = 7};
  EXPECT_EQ(
      proof(point).back(),
      "? 7 launches, spread 4 %, 7 of them may include launch latency, which is some microseconds: the host "
      "was late or waited for the device");
}

TEST(Proof, ALoweredClockIsNamedWithWhatLoweredIt) {
  Point point = example::counted_gemm();
  point.clock = HeldClock{{1.98e9}, {1.98e9}, {}};
  EXPECT_THAT(proof(point), testing::Contains("+ clock held 1,980 MHz, not throttled"));
  point.clock = HeldClock{{1.41e9}, {1.98e9}, {"the power cap", "heat"}};
  EXPECT_THAT(proof(point),
              testing::Contains("! clock held 1,410 MHz of 1,980 MHz, lowered by the power cap, heat"));
  point.counters.reset();
  point.clock->slowed_by.clear();
  EXPECT_THAT(proof(point),
              testing::Contains("? clock held 1,410 MHz of 1,980 MHz; the driver names no cause"));
  point.program = ProgramLaunches{};
  EXPECT_THAT(proof(point), testing::Contains("? clock held 1,410 MHz of 1,980 MHz; Nsight Compute holds it "
                                              "unless told --clock-control none"));
}

TEST(Proof, DatasheetsProveNothing) {
  Roofs roofs = example::h200_roofs();
  for (MemoryRoof& roof : roofs.memory) {
    roof.origin = Origin::datasheet;
  }
  roofs.compute.front().origin = Origin::datasheet;
  EXPECT_EQ(proof(example::counted_gemm(), roofs)[3], "? no measured roof to compare with");
}

TEST(Proof, EachFaultIsNamedWithItsNumbers) {
  const struct {
    std::function<void(Point&)> fault;
    std::size_t check;
    const char* line;
  } rows[] = {
      {[](Point& point) { point.counters->ffma = 8'589'934'593; }, 1,
       "! 17,179,869,186 FLOP counted, the model says 17,179,869,184: the manifest's flops are wrong, or the "
       "kernel does other work than they say"},
      {[](Point& point) { point.modelled.flops.reset(); }, 1,
       "! 17,179,869,184 FLOP counted, the model says 0: the manifest's flops are wrong, or the kernel does "
       "other work than they say"},
      {[](Point& point) { point.counters->l2 = Bytes{4.5e9}; }, 2,
       "! L2 moved 4.50 GB, more than the 2.17 GB of L1, and more than its two partitions can exchange: "
       "something else used the GPU meanwhile, or a counter is wrong"},
      {[](Point& point) { point.counters->dram_write = Bytes{2e9}; }, 2,
       "! DRAM moved 2.03 GB, more than the 1.90 GB of L2: likely lines written earlier that left the cache "
       "during "
       "this launch"},
      {[](Point& point) { point.counters->shared_wavefronts = 500e6; }, 3,
       "! shared memory at 106 % of its roof: the clock rose above the roof's, or a counter is wrong"},
      {[](Point& point) { point.counters->ffma = 1e11; }, 3,
       "! FP32 at 162 % of its roof: the clock rose above the roof's, or a counter is wrong"},
      {[](Point& point) { point.compiled->registers = 64; }, 4,
       "! achieved occupancy 97.5 % of a possible 50 %: something else used the GPU meanwhile, or a counter is "
       "wrong"},
      {[](Point& point) { point.timing->slowest = {2.2e-3}; }, 6,
       "! 7 launches, spread 19.5 % (1.84 ms to 2.20 ms), 3 passes: something else may have used the GPU, such "
       "as a window, or the clock moved"},
  };
  for (const auto& row : rows) {
    Point point = example::counted_gemm();
    row.fault(point);
    EXPECT_EQ(proof(point)[row.check], row.line);
  }
}

TEST(Proof, AKernelThatDoesBetterThanOurBenchmarkIsNeitherRightNorWrong) {
  Point point = example::counted_gemm();
  point.counters->shared_wavefronts = 500e6;
  Roofs roofs = example::h200_roofs();
  roofs.memory.push_back({MemoryLevel::shared, {40e12}, Origin::spec, ""});
  EXPECT_EQ(proof(point, roofs)[3],
            "? shared memory at 106 % of its roof as our benchmark measured it, but below the hardware peak");
}

TEST(Proof, ALibraryNeedNotCountWhatTheProductNeeds) {
  Point point = example::counted_gemm();
  point.compiled.reset();
  EXPECT_EQ(proof(point)[1], "+ counted FLOPs = model, exactly");
  *point.counters->ffma *= 1.25;
  EXPECT_EQ(proof(point)[1],
            "? 21,474,836,480 FLOP counted, the product needs 17,179,869,184: a library chooses its own tiles");
}

TEST(Proof, HalfPrecisionMayCountALittleMoreThanModelledButNeverLess) {
  Point point = example::counted_gemm();
  point.modelled.pipe = fp16_pipe;
  point.counters->hfma = 1000;
  EXPECT_EQ(proof(point)[1],
            "? 17,179,873,184 FLOP counted, the model says 17,179,869,184: compilers also load constants and "
            "multiply with HFMA2");
  point.counters->hfma = 2e9;
  EXPECT_THAT(proof(point)[1],
              testing::StartsWith("! 25,179,869,184 FLOP counted, the model says 17,179,869,184: the"));
  point.counters->hfma = 1000;
  point.counters->ffma = 0;
  EXPECT_THAT(proof(point)[1], testing::StartsWith("! 4,000 FLOP counted, the model says 17,179,869,184: the"));
}

TEST(Proof, CopiesPastL1LeaveItOutOfTheOrder) {
  Point point = example::counted_gemm();
  point.counters->l1 = Bytes{10e6};
  EXPECT_EQ(proof(point)[2].front(), '!');
  point.modelled.bytes[MemoryLevel::l1].reset();
  EXPECT_EQ(proof(point)[2], "+ bytes at L2 \u2265 DRAM; not every copy of this kernel passes L1");
}

TEST(Proof, NoiseIsNoFault) {
  const struct {
    std::function<void(Point&)> noise;
    std::size_t check;
  } rows[] = {
      {[](Point& point) { point.counters->l2 = Bytes{2.2e9}; }, 2},
      {[](Point& point) { point.counters->l1 = point.counters->l2 = Bytes{42.8e6}; }, 2},
      {[](Point& point) { point.counters->shared_wavefronts = 480e6; }, 3},
      {[](Point& point) { point.compiled->registers = 32, point.counters->achieved_occupancy = 1.005; }, 4},
  };
  for (const auto& row : rows) {
    Point point = example::counted_gemm();
    row.noise(point);
    EXPECT_EQ(proof(point)[row.check].front(), '+') << proof(point)[row.check];
  }
}

// Counted on an H200, cold: bytes of L1, L2 and DRAM.
TEST(Proof, L2MayExceedL1ByWhatItsPartsPassOn) {
  const char* const in_order = "+ bytes at L1 \u2265 L2 \u2265 DRAM";
  const char* const passed_on =
      "+ bytes at L2 \u2265 DRAM; L2 exceeds L1 because its two partitions exchange data";
  const struct {
    const char* kernel;
    double l1, l2, dram;
    const char* line;
  } rows[] = {
      {"GEMM 2048, tile 32", 2'164'260'864, 1'876'737'536, 43'411'712, in_order},
      {"GEMM 32, tile 8", 36'864, 162'176, 12'032, in_order},
      {"transpose 8192, tile 32", 536'870'912, 806'535'264, 515'713'536, passed_on},
      {"transpose 8192, tile 8", 536'870'912, 887'144'864, 519'358'258, passed_on},
      {"transpose 256, tile 8", 524'288, 1'476'896, 263'168, passed_on},
      {"transpose 32, tile 32", 8'192, 62'080, 4'864, in_order},
      {"naive transpose 8192", 2'415'919'104, 806'509'888, 516'152'320, in_order},
  };
  for (const auto& row : rows) {
    Point point = example::counted_gemm();
    point.counters->l1 = Bytes{row.l1};
    point.counters->l2 = Bytes{row.l2};
    point.counters->dram_read = Bytes{row.dram};
    point.counters->dram_write = Bytes{0};
    EXPECT_EQ(proof(point)[2], row.line) << row.kernel;
  }
  Point elsewhere = example::counted_gemm();
  elsewhere.compiled->cc = {8, 6};
  elsewhere.counters->l2 = Bytes{2.3e9};
  EXPECT_EQ(proof(elsewhere)[2].front(), '!') << "this L2 has one part";
}

TEST(Proof, OfAProgramsLaunchNothingWasPromised) {
  Point point = example::counted_gemm();
  point.program = ProgramLaunches{20, 0, 1, {4e-2}, 1};
  point.modelled = {};
  point.verification.reset();
  point.timing->slowest = {4e-3};
  EXPECT_THAT(proof(point),
              testing::ElementsAre(
                  "? not verified", "? FLOPs counted; no model of this kernel to compare them with",
                  "+ bytes at L1 \u2265 L2 \u2265 DRAM", "+ nothing above its roof",
                  "+ achieved occupancy 97.5 % of a possible 100 %", "+ clock held 1,980 MHz",
                  "? 7 launches, spread 117 % (1.84 ms to 4.00 ms), 3 passes: a program's launches need not be "
                  "alike"));
  point.counters->l2 = Bytes{9e9};
  EXPECT_EQ(proof(point)[2], "+ bytes at L2 \u2265 DRAM; not every copy of this kernel passes L1");
}

TEST(Proof, AFailedVerificationTellsWhere) {
  Point point = example::counted_gemm();
  const Placement placement = place(point, example::h200_roofs()).value();
  point.verification = Verification{false, 3, 1e-3, "element 7 is 1, the reference says 4"};
  const Check check = prove(point, placement, std::nullopt).front();
  EXPECT_EQ(check.state, State::failed);
  EXPECT_EQ(check.sentence, "element 7 is 1, the reference says 4");
}

TEST(Proof, AKernelWithoutFlopsMustCountNone) {
  Point transpose = example::counted_gemm();
  transpose.modelled.flops.reset();
  transpose.counters->ffma = 0;
  EXPECT_EQ(proof(transpose)[1], "+ no FLOPs, as modelled");
}

}  // namespace
}  // namespace rooftile
