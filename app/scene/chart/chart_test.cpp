#include "app/scene/chart/chart.hpp"

#include <gmock/gmock.h>

#include "app/scene/actions/actions.hpp"
#include "app/scene/chart/chart_rows.hpp"
#include "app/scene/state/test_session.hpp"

namespace rooftile::scene {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Chart, TheAxesKeepStillWhileTheDialMovesAndFitOnRequest) {
  AppState state = recorded_state();
  const Axes fitted = state.view.axes;
  const Axes moved{0.1, 10, 1e12, 1e13};
  apply(state, {SetAxes{moved}, SetParameter{"TILE", 4}});
  EXPECT_EQ(state.view.axes, moved);
  apply(state, {Fit{}});
  EXPECT_EQ(state.view.axes, fitted);
}

TEST(Chart, EveryPointLiesWithinTheFittedAxes) {
  const AppState state = recorded_state();
  for (const ChartRow& row : state.derived.shown.chart.rows) {
    EXPECT_GT(*row.performance, state.view.axes.y_min);
    EXPECT_LT(*row.performance, state.view.axes.y_max);
    for (const Dot& dot : row.dots) {
      EXPECT_GT(*dot.intensity, state.view.axes.x_min);
      EXPECT_LT(*dot.intensity, state.view.axes.x_max);
    }
  }
}

TEST(Chart, AKernelWithoutFlopsShowsSharesAndNeverAPointAtZero) {
  AppState state = recorded_state();
  apply(state, {SelectKernel{"transpose_tiled"}});
  EXPECT_EQ(state.derived.shown.chart.kind, ChartKind::shares);
  ASSERT_FALSE(state.derived.shown.chart.rows.empty());
  const Dot* dram = state.derived.shown.chart.rows.back().dot(MemoryLevel::dram);
  EXPECT_FALSE(dram->intensity);
  EXPECT_GT(dram->share.value(), 0);
}

TEST(Chart, AMoveStartsWhereThePointStoodAndCanBeSwitchedOff) {
  AppState state = recorded_state();
  apply(state, {SetParameter{"TILE", 8}});
  const std::uint64_t before = state.derived.shown.chart.rows.back().id;
  state.view.motion.reset();
  state.now = 7;
  apply(state, {SetParameter{"TILE", 32}});
  ASSERT_TRUE(state.view.motion);
  EXPECT_EQ(state.view.motion->from.id, before);
  EXPECT_EQ(state.view.motion->started, 7);
  state.view.motion.reset();
  apply(state, {ToggleAnimation{}, SetParameter{"TILE", 4}});
  EXPECT_FALSE(state.view.motion);
}

TEST(Chart, ADotAboveItsRoofIsFlagged) {
  AppState state = live_state();
  apply(state, {SelectKernel{"sgemm_tiled"}});
  Point point = counted_point(state, 1, "sgemm_tiled", {});
  point.timing->median = 0.05 * point.timing->median;
  land(state, point);
  const Dot* shared = state.derived.shown.chart.rows.back().dot(MemoryLevel::shared);
  EXPECT_TRUE(shared->above_roof);
  EXPECT_THAT(dot_facts(state, point.id, MemoryLevel::shared).back(),
              HasSubstr("Share of the shared memory roof "));
}

TEST(Chart, EvidenceIsShape) {
  AppState state = live_state();
  apply(state, {SelectKernel{"sgemm_tiled"}});
  Point point = counted_point(state, 1, "sgemm_tiled", {});
  point.counters.reset();
  land(state, point);
  EXPECT_EQ(state.derived.shown.chart.rows.back().evidence, Evidence::timed);
}

TEST(Chart, ADotSaysWhichLaunchItIsAndWhereItsNumbersComeFrom) {
  const AppState state = recorded_state();
  const std::uint64_t newest = state.derived.shown.chart.rows.back().id;
  const auto facts = dot_facts(state, newest, MemoryLevel::dram);
  ASSERT_EQ(facts.size(), 4u);
  EXPECT_THAT(facts[0], AllOf(HasSubstr("tile 4"), HasSubstr("TFLOP/s")));
  EXPECT_THAT(facts[1], HasSubstr("DRAM"));
  EXPECT_THAT(facts[2], HasSubstr("of its roof"));
  EXPECT_THAT(facts[3], HasSubstr("hardware counters"));
  EXPECT_THAT(dot_facts(state, 12345, MemoryLevel::dram), testing::IsEmpty());
}

// A live session with that many launches, of other sizes.
AppState after_launches(std::uint64_t launches) {
  AppState state = live_state();
  apply(state, {SelectKernel{"sgemm_tiled"}});
  for (std::uint64_t id = 1; id <= launches; ++id) {
    land(state, counted_point(state, id, "sgemm_tiled", {{"TILE", 32}, {"N", static_cast<double>(64 * id)}}));
  }
  return state;
}

TEST(Chart, ManyLaunchesAreACrowdInWhichTheNewestAndThePinnedStandOut) {
  AppState state = after_launches(14);
  EXPECT_EQ(state.derived.shown.chart.rows.size(), 14u);
  EXPECT_TRUE(state.derived.shown.chart.crowd.empty());
  state = after_launches(15);
  EXPECT_EQ(state.derived.shown.chart.rows.size(), 1u);
  EXPECT_EQ(state.derived.shown.chart.rows[0].emphasis, Emphasis::newest);
  EXPECT_EQ(state.derived.shown.chart.crowd.size(), 14 * state.derived.shown.chart.rows[0].dots.size());
  apply(state, {Pin{3}});
  ASSERT_EQ(state.derived.shown.chart.rows.size(), 2u);
  EXPECT_EQ(state.derived.shown.chart.rows[0].emphasis, Emphasis::named);
  EXPECT_THAT(state.derived.shown.chart.rows[0].label, HasSubstr("192"));
}

TEST(Chart, ALaunchThatIsMeasuredFurtherMoves) {
  AppState state = live_state();
  apply(state, {SelectKernel{"sgemm_tiled"}});
  Point point = counted_point(state, 1, "sgemm_tiled", {});
  const auto counters = point.counters;
  point.counters.reset();
  point.final = false;
  land(state, point);
  EXPECT_EQ(state.derived.shown.chart.rows.back().evidence, Evidence::timed);
  point.counters = counters;
  land(state, point);
  EXPECT_EQ(state.derived.shown.chart.rows.back().evidence, Evidence::counted);
}

TEST(Chart, TheTrailJoinsLaunchesOfTheChosenKernelOnly) {
  AppState state = recorded_state();
  apply(state, {Pin{state.derived.shown.chart.rows.back().id}, SelectKernel{"gemm_bf16_wgmma"},
                SelectKernel{"sgemm_naive"}});
  ASSERT_EQ(state.derived.shown.chart.rows.size(), 2u) << "the pinned one, and what is predicted of the chosen";
  EXPECT_FALSE(state.derived.shown.chart.rows[0].on_trail);
  EXPECT_TRUE(state.derived.shown.chart.rows[1].on_trail);
  apply(state, {SelectKernel{"sgemm_tiled"}});
  for (const ChartRow& row : state.derived.shown.chart.rows) {
    EXPECT_TRUE(row.on_trail);
  }
}

TEST(Chart, SeveralPipesBringEachItsRoof) {
  Roofs roofs{"", {{MemoryLevel::dram, {4e12}, Origin::measured, ""}}, {}};
  roofs.compute = {{bf16_tensor_pipe, {900e12}, Origin::measured, ""},
                   {fp32_pipe, {60e12}, Origin::measured, ""},
                   {tf32_tensor_pipe, {400e12}, Origin::measured, ""}};
  Chart chart;
  add_roofs(chart, roofs, std::vector<std::string>{bf16_tensor_pipe, tf32_tensor_pipe}, {});
  std::vector<std::string> names;
  for (const RoofLine& roof : chart.roofs) {
    names.push_back(roof.name);
  }
  EXPECT_THAT(names, ElementsAre("DRAM", "FP32 FMA", "TF32 tensor", "BF16 tensor"));
  EXPECT_EQ(chart.peak, 900e12);
  EXPECT_EQ(chart.ridge, 225);
}

TEST(Chart, RoofsOfAnotherOriginCanBeDrawn) {
  AppState state = recorded_state();
  EXPECT_THAT(state.derived.shown.chart.origins,
              ElementsAre(Origin::measured, Origin::spec, Origin::datasheet));
  apply(state, {SelectOrigin{Origin::datasheet}});
  EXPECT_EQ(state.derived.shown.chart.roofs.size(), 1u);
  EXPECT_EQ(state.derived.shown.chart.roofs.front().height, 4.8e12);
}

TEST(Chart, BytesCanBeCountedAsNsightDoes) {
  AppState state = live_state();
  Point point = counted_point(state, 1, "sgemm_tiled", {});
  land(state, point);
  const double intensity = *state.derived.shown.chart.rows[0].dot(MemoryLevel::l2)->intensity;
  const Requests requests = apply(state, {SelectBytes{ByteDefinition::returned}});
  ASSERT_TRUE(requested<MeasurePlace>(requests)) << "it was not counted that way yet";
  EXPECT_TRUE(requested<MeasurePlace>(requests)->configuration.returned_bytes);
  EXPECT_EQ(state.derived.shown.chart.rows[0].dot(MemoryLevel::l2), nullptr)
      << "nor may the model stand in for it";
  point.id = 2;
  point.counters->l2_returned = 0.5 * *point.counters->l2;
  land(state, point);
  EXPECT_EQ(*state.derived.shown.chart.rows.back().dot(MemoryLevel::l2)->intensity, 2 * intensity);
  EXPECT_FALSE(requested<MeasurePlace>(apply(state, {SelectBytes{ByteDefinition::requested}})));
  EXPECT_EQ(*state.derived.shown.chart.rows.back().dot(MemoryLevel::l2)->intensity, intensity);
}

TEST(Chart, InstructionsHaveARooflineOfTheirOwn) {
  AppState state = live_state();
  apply(state, {SelectKernel{"transpose_tiled"}});
  const Point point = counted_point(state, 1, "transpose_tiled", {});
  land(state, point);
  EXPECT_TRUE(state.derived.shown.has_instructions);
  apply(state, {ToggleInstructions{}});
  const Chart& chart = state.derived.shown.chart;
  EXPECT_EQ(chart.kind, ChartKind::instructions);
  EXPECT_EQ(chart.roofs.back().name, warp_issue);
  EXPECT_EQ(chart.roofs.front().height, 4.3e12 / 32) << "of DRAM, in transactions";
  ASSERT_EQ(chart.rows.size(), 1u);
  EXPECT_EQ(chart.rows[0].performance, 1e8 / point.timing->median.value);
  EXPECT_NEAR(*chart.rows[0].dot(MemoryLevel::dram)->intensity,
              1e8 / (point.counters->bytes(MemoryLevel::dram)->value / 32), 1e-9);
  EXPECT_LT(state.view.axes.y_min, *chart.rows[0].performance);
  EXPECT_GT(state.view.axes.y_max, 1e12);
  apply(state, {ToggleInstructions{}});
  EXPECT_EQ(state.derived.shown.chart.kind, ChartKind::shares);
}

TEST(Chart, AKernelStandsUnderTheRoofOfItsOwnPipe) {
  AppState state = live_state();
  EXPECT_THAT(compute_roofs(state), ElementsAre("FP32 FMA"));
  EXPECT_LT(state.view.axes.y_max, 900e12);
  apply(state, {SelectKernel{"gemm_bf16_wgmma"}});
  EXPECT_THAT(compute_roofs(state), ElementsAre("FP32 FMA", "BF16 tensor"));
  EXPECT_EQ(state.derived.shown.chart.peak, 900e12);
  EXPECT_GT(state.view.axes.y_max, 900e12);
  apply(state, {SelectKernel{"sgemm_tiled"}});
  EXPECT_LT(state.view.axes.y_max, 900e12);
}

TEST(Chart, ARoofThatIsChosenShowsItsSources) {
  AppState state = recorded_state();
  EXPECT_FALSE(requested<MeasureRoofs>(apply(state, {SelectRoof{"L2"}, MeasureRoofs{}})))
      << "nothing is launched here";
  EXPECT_EQ(state.view.lower, Panel::roofs);
  EXPECT_THAT(state.derived.shown.roofs.at(1).sources, ElementsAre("measured 10.0 TB/s: made up"));
  AppState live = live_state();
  EXPECT_TRUE(requested<MeasureRoofs>(apply(live, {MeasureRoofs{}})));
}

TEST(Chart, AnotherGpuIsPredictedFromItsDatasheet) {
  AppState state = recorded_state();
  apply(state, {SelectGpu{"RTX 4090"}});
  EXPECT_EQ(mode(state), Mode::predicted);
  EXPECT_THAT(state.derived.shown.device, HasSubstr("RTX 4090"));
  const double before = *state.derived.shown.chart.rows.back().dot(MemoryLevel::shared)->intensity;
  apply(state, {SetParameter{"TILE", 32}, SetParameter{"PAD_A", 1}});
  EXPECT_NE(*state.derived.shown.chart.rows.back().dot(MemoryLevel::shared)->intensity, before);
  apply(state, {SelectKernel{"transpose_tiled"}});
  EXPECT_GT(state.derived.shown.chart.rows.back().largest_share(), 0)
      << "without FLOPs too the chart is not empty";
}

TEST(Chart, AKernelWhoseWorkNobodyStatedHasNoPredictionWhichIsNoFailure) {
  AppState state = recorded_state();
  apply(state, {SelectGpu{"RTX 4090"}, SelectKernel{"copy"}});
  Manifest& kernel = *std::ranges::find(state.known.catalogue, state.choice.kernel, &Manifest::name);
  kernel.states_work = false;
  refresh(state);
  EXPECT_THAT(state.derived.shown.chart.rows, IsEmpty());
  EXPECT_THAT(state.derived.shown.subject->shares, IsEmpty());
  EXPECT_FALSE(state.derived.shown.subject->point.failure) << "it would be drawn in the colour of errors";
  EXPECT_EQ(state.derived.shown.subject->verdict.title, "Nothing is predicted");
  EXPECT_THAT(state.derived.shown.subject->verdict.grounds, HasSubstr("compiled code is read"));
  kernel.block[2] = Expression("1024", {});
  refresh(state);
  EXPECT_EQ(state.derived.shown.subject->verdict.title, "This launch cannot run here");
}

// A kernel of a user's, whose files allow more than the GPU does.
TEST(Chart, ALaunchThatDoesNotFitHasNoPredictedPointAndItsReasonAsVerdict) {
  const struct {
    const char* what;
    const char* gpu;
    void (*change)(Manifest&);
    const char* expected;
  } rows[] = {
      {"threads", "RTX 4090", [](Manifest& m) { m.block[2] = Expression("8", {}); },
       "A block has 2,048 threads (TILE=16); a GPU launches at most 1,024."},
      {"grid", "RTX 4090", [](Manifest& m) { m.grid[0] = Expression("N / 4096", {"N"}); },
       "sgemm_tiled: grid: \"N / 4096\" is 0.5 (N=2048); expected a whole number from 1 to 2,147,483,647"},
      {"shared memory", "T4", [](Manifest& m) { m.dynamic_shared_bytes = Expression("64 * N", {"N"}); },
       "A block asks for 131,072 B of shared memory (N=2048); the T4 allows it 65,536 B."},
      {"architecture", "T4",
       [](Manifest& m) {
         m.minimum_cc = ComputeCapability{9, 0};
       },
       "sgemm_tiled needs compute capability 9.0 or later, not 7.5."},
  };
  for (const auto& row : rows) {
    AppState state = recorded_state();
    apply(state, {SelectGpu{row.gpu}, SetParameter{"TILE", 16}});
    const std::size_t predicted = state.derived.shown.chart.rows.size();
    row.change(*std::ranges::find(state.known.catalogue, "sgemm_tiled", &Manifest::name));
    refresh(state);
    EXPECT_EQ(state.derived.shown.chart.rows.size() + 1, predicted) << row.what;
    ASSERT_TRUE(state.derived.shown.subject) << row.what;
    EXPECT_EQ(state.derived.shown.subject->verdict.title, "This launch cannot run here") << row.what;
    EXPECT_EQ(state.derived.shown.subject->verdict.grounds, row.expected) << row.what;
    EXPECT_THAT(state.derived.shown.subject->shares, testing::IsEmpty()) << row.what;
  }
}

}  // namespace
}  // namespace rooftile::scene
