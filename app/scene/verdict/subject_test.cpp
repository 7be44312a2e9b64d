// The words of the right column about one point.
#include "app/scene/verdict/subject.hpp"

#include <gmock/gmock.h>

#include "analysis/text/format.hpp"
#include "app/scene/actions/actions.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/state/test_session.hpp"

namespace rooftile::scene {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class SubjectTest : public testing::Test {
 protected:
  const AppState state = live_state();
  const Roofs roofs = roofs_of(state);

  Point launch(const char* kernel, const Parameters& given = {}) const {
    return counted_point(state, 1, kernel, given);
  }
  Subject of(const Point& point) const { return subject(state, point, roofs); }
};

std::vector<std::string> labels(const Subject& subject) {
  std::vector<std::string> words;
  for (const ShareBar& bar : subject.shares) {
    words.push_back(bar.label);
  }
  return words;
}

TEST_F(SubjectTest, BarsStandFromNearToFarThenCompute) {
  EXPECT_THAT(labels(of(launch("sgemm_tiled"))), ElementsAre("Shared memory", "L1", "L2", "DRAM", "FP32"));
  const Subject transpose = of(launch("transpose_tiled"));
  EXPECT_EQ(transpose.shares.back().label, "DRAM") << "it has no FLOPs";
  EXPECT_EQ(of(launch("gemm_bf16_wgmma")).shares.back().label, "BF16 tensor");
}

TEST_F(SubjectTest, OneBarBindsAndItIsTheLongest) {
  for (const char* kernel : {"sgemm_tiled", "sgemm_naive", "transpose_tiled", "gemm_bf16_wgmma", "triad"}) {
    const Subject shown = of(launch(kernel));
    EXPECT_EQ(std::ranges::count(shown.shares, true, &ShareBar::binds), 1) << kernel;
    const auto binds = std::ranges::find(shown.shares, true, &ShareBar::binds);
    for (const ShareBar& bar : shown.shares) {
      EXPECT_LE(bar.share, binds->share) << kernel << " " << bar.label;
    }
    EXPECT_NEAR(binds->share, 1 / 1.2, 1e-9) << kernel << ": made a fifth slower than its roof";
    EXPECT_EQ(binds->percent, "83.3 %");
  }
}

TEST_F(SubjectTest, TheIntensityIsThatOfTheLevelLookedAtElseOfDram) {
  AppState looking = state;
  looking.view.level = MemoryLevel::l2;
  const Subject shown = subject(looking, launch("sgemm_tiled"), roofs);
  EXPECT_THAT(shown.intensity, HasSubstr(" at L2, counted"));
  EXPECT_EQ(shown.intensities.size(), shown.placement->levels.size());
  looking.view.level = MemoryLevel::distributed;
  EXPECT_THAT(subject(looking, launch("sgemm_tiled"), roofs).intensity, HasSubstr(" at DRAM, counted"));
  EXPECT_EQ(of(launch("transpose_tiled")).intensity, "") << "it has no FLOPs";
}

TEST_F(SubjectTest, ALevelWithoutARoofHasARateAndNoShare) {
  const Subject shown = of(launch("sgemm_tiled"));
  const auto l1 = std::ranges::find(shown.shares, "L1", &ShareBar::label);
  EXPECT_EQ(l1->percent, unknown_text);
  EXPECT_EQ(l1->share, 0);
  EXPECT_THAT(l1->rate, HasSubstr("B/s"));
}

TEST_F(SubjectTest, ABarSaysWhatMovedAndWhichRoofItIsHeldAgainst) {
  for (const ShareBar& bar : of(launch("sgemm_tiled")).shares) {
    const bool has_roof = bar.percent != unknown_text;
    EXPECT_EQ(bar.facts.size(), (bar.level ? 1u : 0u) + (has_roof ? 1u : 0u)) << bar.label;
    EXPECT_EQ(has_roof, !bar.facts.empty() && bar.facts.back().starts_with("the roof: ")) << bar.label;
  }
}

TEST_F(SubjectTest, WhereOccupancyIsNotKnownItSaysWhy) {
  Point point = launch("sgemm_tiled");
  point.compiled.reset();
  EXPECT_THAT(of(point).why_no_occupancy, HasSubstr("being compiled"));
  AppState asked = state;
  Point answer = point;
  answer.timing.reset();
  answer.counters.reset();
  answer.final = true;
  answer.notes = {"NVRTC 13.0 does not compile for compute capability 7.0."};
  land(asked, answer);
  EXPECT_EQ(subject(asked, point, roofs).why_no_occupancy, answer.notes.back());
  point.failure = "It hung.";
  EXPECT_THAT(of(point).why_no_occupancy, HasSubstr(point.final ? "failed" : "cannot run here"));
}

TEST_F(SubjectTest, FindingsInTheCompiledCodeStandBesideTheVerdictOfAnyLaunch) {
  AppState read = state;
  apply(read, {SelectKernel{"transpose_naive"}});
  const Point point = launch("transpose_naive", dialled(read));
  EXPECT_THAT(subject(read, point, roofs).findings, IsEmpty()) << "its code was not read";
  CodeAnswer answer;
  answer.launch.emplace();
  for (const char* sentence : {"a race", "another", "outside", "a fourth", "a fifth"}) {
    answer.launch->findings.emplace_back(sentence);
  }
  use_code(read, {"transpose_naive", "", read.choice.gpu, dialled(read)}, answer);
  EXPECT_THAT(
      subject(read, point, roofs).findings,
      ElementsAre("a race", "another", "outside", "2 more: rooftile-cli lines transpose_naive lists them."));
  EXPECT_THAT(subject(read, launch("copy"), roofs).findings, IsEmpty());
}

TEST_F(SubjectTest, TheVerdictIsAboutWhatWentWrongFirst) {
  Point point = launch("sgemm_tiled");
  EXPECT_THAT(of(point).verdict.title, HasSubstr("Bound by"));
  point.verification = Verification{false, 3, 1, "C[0][5] is 7, expected 8."};
  EXPECT_EQ(of(point).verdict.title, "The result is wrong");
  EXPECT_EQ(of(point).verdict.grounds, "C[0][5] is 7, expected 8.");
  point.failure = "The result is wrong: C[0][5] is 7, expected 8.";
  EXPECT_EQ(of(point).verdict.title, "The result is wrong") << "as the worker tells of it";
  point.verification.reset();
  point.failure = "The launch ran out of time.";
  EXPECT_EQ(of(point).verdict.title, "This launch failed");
  EXPECT_EQ(of(point).verdict.grounds, "The launch ran out of time.");
  EXPECT_THAT(of(point).shares, IsEmpty());
  EXPECT_THAT(of(point).checks, IsEmpty());
}

TEST_F(SubjectTest, ASourceThatDoesNotCompileSaysTheLineOfEachError) {
  Point point = launch("sgemm_tiled");
  point.failure =
      "sgemm_tiled.cu does not compile:\n/a/sgemm_tiled.cu(12): error: expected a \";\"\n    x\n    ^\n\n"
      "/a/sgemm_tiled.cu(9): error: identifier \"tile\" is undefined\n\n2 errors detected.\n";
  EXPECT_EQ(
      of(point).verdict.grounds,
      "sgemm_tiled.cu does not compile.\nLine 12: expected a \";\"\nLine 9: identifier \"tile\" is undefined");
}

TEST_F(SubjectTest, WithoutARoofNothingIsClaimed) {
  Point point = launch("sgemm_tiled");
  point.timing.reset();
  point.counters.reset();
  const Subject shown = subject(state, point, Roofs{});
  EXPECT_FALSE(shown.placement);
  EXPECT_EQ(shown.verdict.bound_by, "");
  EXPECT_THAT(shown.shares, IsEmpty());
}

TEST_F(SubjectTest, OccupancyCountsTheBlocksOfOneSm) {
  struct Case {
    double tile;
    const char* sentence;
    double theoretical;
  };
  for (const auto& [tile, sentence, theoretical] :
       {Case{32, "2 blocks of 1,024 threads fill one SM", 1}, {16, "8 blocks of 256 threads fill one SM", 1}}) {
    const Subject shown = of(launch("sgemm_tiled", {{"TILE", tile}}));
    ASSERT_TRUE(shown.occupancy);
    EXPECT_EQ(shown.occupancy->sentence, sentence);
    EXPECT_EQ(shown.occupancy->theoretical, theoretical);
    EXPECT_EQ(shown.occupancy->achieved, 0.9);
  }
}

TEST_F(SubjectTest, OneBlockFillsAnSmInTheSingular) {
  Point point = launch("sgemm_tiled", {{"TILE", 32}});
  point.compiled->registers = 64;
  const Subject shown = of(point);
  EXPECT_EQ(shown.occupancy->sentence, "1 block of 1,024 threads fills one SM");
  EXPECT_EQ(shown.occupancy->theoretical, 0.5);
  EXPECT_THAT(shown.occupancy->cliff, HasSubstr("1 -> 0 blocks"));
}

TEST_F(SubjectTest, WhatWasCompiledIsSaidInThreeLines) {
  Point point = launch("sgemm_tiled", {{"TILE", 32}, {"N", 1024}});
  EXPECT_THAT(of(point).compiled,
              ElementsAre("32 registers   0 spills", "8,192 B shared memory", "1,024 threads   1,024 blocks"));
  point.compiled->spill_store_bytes = 100;
  point.compiled->spill_load_bytes = 60;
  EXPECT_EQ(of(point).compiled[0], "32 registers   spills " + text(Bytes{160}));
  point.compiled.reset();
  EXPECT_THAT(of(point).compiled, ElementsAre("1,024 threads   1,024 blocks"));
  EXPECT_FALSE(of(point).occupancy);
  point.launch = {};
  EXPECT_THAT(of(point).compiled, IsEmpty()) << "a launch that failed early";
}

TEST_F(SubjectTest, CountersAreReadOutOnlyWhereThereAreAny) {
  Point point = launch("sgemm_tiled");
  point.counters->issue_use = 0.61;
  EXPECT_THAT(of(point).limits, ElementsAre(HasSubstr("61 %")));
  point.counters.reset();
  EXPECT_THAT(of(point).limits, IsEmpty());
}

TEST_F(SubjectTest, EveryPlacedPointIsProved) {
  for (const char* kernel : {"sgemm_tiled", "transpose_tiled", "gemm_bf16_wgmma"}) {
    EXPECT_THAT(of(launch(kernel)).checks, Not(IsEmpty())) << kernel;
  }
}

// A table knows two tiles of the H200; nobody knows what the others take.
TEST_F(SubjectTest, OtherDialValuesSayHowManyBlocksTheyWouldHold) {
  AppState knowing = state;
  knowing.view.lower = Panel::curves;
  const AppState unknowing = knowing;
  knowing.known.compiled = read_compiled_table(
      "{\"compiler\":\"NVRTC "
      "1.0\"}\n{\"kernel\":\"sgemm_tiled\",\"source_key\":\"0\",\"dials\":[{\"name\":\"TILE\","
      "\"values\":[16,32]},{\"name\":\"PAD_A\",\"values\":[0]},{\"name\":\"PAD_B\",\"values\":[0]}],\"made\":"
      "{\"9.0\":{\"registers_per_thread\":\"40*2\",\"static_shared_bytes\":\"2048 8192\"}}}\n",
      "table");
  const Subject found = subject(knowing, launch("sgemm_tiled", {{"TILE", 16}}), roofs);
  ASSERT_EQ(found.dial_steps.size(), 1U);
  EXPECT_EQ(text(found.dial_steps[0]), "Tile 32 would hold 1 block, occupancy 50 %");
  EXPECT_THAT(subject(unknowing, launch("sgemm_tiled", {{"TILE", 16}}), roofs).dial_steps, IsEmpty());
}

}  // namespace
}  // namespace rooftile::scene
