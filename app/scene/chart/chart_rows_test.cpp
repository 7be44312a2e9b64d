// Which launches a chart shows, how they stand out, and what is said of one.
#include "app/scene/chart/chart_rows.hpp"

#include <gmock/gmock.h>

#include <cmath>

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
using testing::SizeIs;

// 10 FLOP/B of DRAM at 9.3 TFLOP/s, half of the roof.
Placement placement() {
  Placement result;
  result.evidence = Evidence::counted;
  result.time = Seconds{1e-3};
  result.performance = FlopsPerSecond{9.3e12};
  result.levels.push_back({.level = MemoryLevel::dram,
                           .bytes = Bytes{9.3e8},
                           .bandwidth = BytesPerSecond{9.3e11},
                           .intensity = FlopsPerByte{10},
                           .share = 0.5,
                           .counted = true,
                           .above_roof = false,
                           .roof_origin = Origin::measured});
  return result;
}

TEST(Figure, IsTheRateOrWithoutFlopsTheTime) {
  Placement where = placement();
  EXPECT_EQ(figure(where), "9.30 TFLOP/s");
  where.performance.reset();
  EXPECT_EQ(figure(where), "1.00 ms");
}

TEST(ChartRow, HasADotForEachLevelAndFlagsThoseAboveARoof) {
  struct Case {
    const char* what;
    bool memory, compute, flagged;
  };
  for (const auto& [what, memory, compute, flagged] : {Case{"under all", false, false, false},
                                                       {"above its level", true, false, true},
                                                       {"above compute", false, true, true}}) {
    Placement where = placement();
    where.levels[0].above_roof = memory;
    where.above_compute_roof = compute;
    const ChartRow row = chart_row(Point{}, where);
    ASSERT_THAT(row.dots, SizeIs(1));
    EXPECT_EQ(row.dots[0].above_roof, flagged) << what;
    EXPECT_EQ(row.performance, 9.3e12);
    EXPECT_EQ(row.dots[0].intensity, 10);
  }
}

TEST(Crowd, TakesOnlyDotsThatHaveAPlace) {
  ChartRow row = chart_row(Point{}, placement());
  row.id = 5;
  row.dots.push_back({.level = MemoryLevel::l2, .intensity = {}, .share = {}, .bandwidth = {}});
  Chart chart;
  add_to_crowd(chart, row);
  ASSERT_THAT(chart.crowd, SizeIs(1));
  EXPECT_EQ(chart.crowd[0].id, 5u);
  EXPECT_FLOAT_EQ(chart.crowd[0].log_intensity, std::log(10.0f));
  EXPECT_FLOAT_EQ(chart.crowd[0].log_performance, std::log(9.3e12f));
  row.performance.reset();
  add_to_crowd(chart, row);
  EXPECT_THAT(chart.crowd, SizeIs(1));
}

TEST(LevelFacts, SayPlaceShareAndOrigin) {
  Point point;
  point.timing = Timing{Seconds{1e-3}, Seconds{1e-3}, Seconds{1e-3}, 7};
  point.counters = Counters{};
  point.counters->passes = 3;
  Placement where = placement();
  LevelUse& use = where.levels[0];
  EXPECT_THAT(level_facts(point, where, use),
              ElementsAre("DRAM  10.0 FLOP/B,  9.30 TFLOP/s", "930 MB in 1.00 ms = 930 GB/s, 50 % of its roof",
                          "Bytes from hardware counters (3 passes), time from events."));
  use.share = 1.5;
  EXPECT_EQ(level_facts(point, where, use).back(),
            "Share of the DRAM roof 150 %: 930 MB in 1.00 ms = 930 GB/s; roof: 620 GB/s (measured).");
  use.share.reset();
  EXPECT_THAT(level_facts(point, where, use)[1], HasSubstr(std::string(unknown_text) + " of its roof"));
  where.performance.reset();
  EXPECT_EQ(level_facts(point, where, use)[0], "DRAM  930 GB/s");
  where = placement();
  where.pipe = warp_issue;
  EXPECT_THAT(level_facts(point, where, where.levels[0])[0], HasSubstr("10 instructions per transaction"));
}

TEST(CountedBy, NeedsBytesOfL2OfThatDefinition) {
  Point point;
  EXPECT_FALSE(counted_by(point, ByteDefinition::requested));
  point.counters = Counters{};
  EXPECT_FALSE(counted_by(point, ByteDefinition::requested));
  point.counters->l2 = Bytes{1};
  EXPECT_TRUE(counted_by(point, ByteDefinition::requested));
  EXPECT_FALSE(counted_by(point, ByteDefinition::returned));
  point.counters->l2_returned = Bytes{1};
  EXPECT_TRUE(counted_by(point, ByteDefinition::returned));
}

// Live, with that many launches of a kernel at different sizes, ids from 1.
AppState with_launches(std::uint64_t launches, const char* kernel = "sgemm_tiled") {
  AppState state = live_state();
  apply(state, {SelectKernel{kernel}});
  SessionLog log = *state.known.session.log;
  for (std::uint64_t id = 1; id <= launches; ++id) {
    log.add(counted_point(state, id, kernel, {{"N", static_cast<double>(64 * id)}}));
  }
  show(state, std::move(log));
  return state;
}

TEST(ChartRows, FadeTowardsTheOldestAndAPinHoldsThemUp) {
  AppState state = with_launches(6);
  apply(state, {Pin{1}, Pin{4}});
  const std::vector<ChartRow>& rows = state.derived.shown.chart.rows;
  ASSERT_THAT(rows, SizeIs(6));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool pinned = rows[i].id == 1 || rows[i].id == 4;
    const double faded = std::pow(0.72, 5 - i);
    EXPECT_DOUBLE_EQ(rows[i].freshness, std::max(faded, pinned ? 0.8 : 0.3)) << i;
    EXPECT_EQ(rows[i].pinned, pinned) << i;
    EXPECT_EQ(rows[i].emphasis, i == 5 ? Emphasis::newest : pinned ? Emphasis::named : Emphasis::plain);
  }
}

TEST(ChartRows, TheSelectedLaunchIsDrawnLast) {
  AppState state = with_launches(5);
  apply(state, {SelectPoint{2}});
  std::vector<std::uint64_t> ids;
  for (const ChartRow& row : state.derived.shown.chart.rows) {
    ids.push_back(row.id);
  }
  EXPECT_THAT(ids, ElementsAre(1, 3, 4, 5, 2));
  EXPECT_EQ(state.derived.shown.chart.rows.back().emphasis, Emphasis::newest);
}

TEST(ChartRows, SharesKeepLinesForTheNewestAndHaveNoCrowd) {
  for (const std::uint64_t launches : {3u, 14u, 15u, 40u}) {
    const Chart chart = with_launches(launches, "transpose_tiled").derived.shown.chart;
    EXPECT_THAT(chart.rows, SizeIs(std::min<std::uint64_t>(launches, 14)));
    EXPECT_EQ(chart.rows.back().id, launches);
    EXPECT_THAT(chart.crowd, IsEmpty());
  }
}

TEST(ChartRows, LabelsNameOnlyWhatDiffersAndNoSizeThatFollows) {
  AppState state = live_state();
  apply(state, {SelectKernel{"sgemm_tiled"}});
  land(state, counted_point(state, 1, "sgemm_tiled", {{"TILE", 8}, {"PAD_A", 1}}));
  EXPECT_EQ(state.derived.shown.chart.rows[0].label, "tile 8") << "alone, by its first dial";
  land(state, counted_point(state, 2, "sgemm_tiled", {{"TILE", 8}, {"PAD_A", 2}}));
  EXPECT_EQ(state.derived.shown.chart.rows[0].label, "padding of A 1");
  land(state, counted_point(state, 3, "sgemm_tiled", {{"TILE", 8}, {"PAD_A", 2}, {"N", 512}}));
  for (const ChartRow& row : state.derived.shown.chart.rows) {
    EXPECT_THAT(row.label, HasSubstr("size "));
    EXPECT_THAT(row.label, Not(HasSubstr("ows of C")));
    EXPECT_THAT(row.label, Not(HasSubstr("tile")));
  }
}

TEST(ChartRows, ALaunchOfAKernelThatIsGoneKeepsItsName) {
  AppState state = live_state();
  Point point = counted_point(state, 1, "sgemm_tiled", {});
  point.kernel = "gone";
  land(state, point);
  EXPECT_THAT(state.derived.shown.chart.rows, IsEmpty());
  apply(state, {Pin{1}});
  ASSERT_THAT(state.derived.shown.chart.rows, SizeIs(1));
  EXPECT_EQ(state.derived.shown.chart.rows[0].label, "gone");
}

TEST(ChartRows, KnowTheirOccupancyWhereTheDotsShowIt) {
  AppState state = recorded_state();
  EXPECT_EQ(state.derived.shown.chart.rows.back().occupancy, std::nullopt);
  apply(state, {ToggleOccupancyOnDots{}});
  refresh(state);
  const ChartRow& row = state.derived.shown.chart.rows.back();
  EXPECT_EQ(row.occupancy, state.known.session.log->point(row.id)->counters->achieved_occupancy);
}

TEST(ChartRow, WhereTheLaunchHereFailedTheLastOneIsMarkedAsBefore) {
  AppState state = live_state();
  const std::string& kernel = state.choice.kernel;
  land(state, counted_point(state, 1, kernel, {}));
  Point failed = counted_point(state, 2, kernel, {});
  failed.failure = "mine.cu does not compile:";
  land(state, failed);
  ASSERT_THAT(state.derived.shown.chart.rows, SizeIs(1));
  EXPECT_EQ(state.derived.shown.chart.rows[0].emphasis, Emphasis::named);
  EXPECT_THAT(state.derived.shown.chart.rows[0].label, HasSubstr("(before)"));
  land(state, counted_point(state, 3, kernel, {}));
  EXPECT_EQ(state.derived.shown.chart.rows.back().emphasis, Emphasis::newest);
  EXPECT_THAT(state.derived.shown.chart.rows.back().label, Not(HasSubstr("(before)")));
}

}  // namespace
}  // namespace rooftile::scene
