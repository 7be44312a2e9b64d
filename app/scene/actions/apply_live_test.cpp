// Actions on a device, and what they ask of the session.
#include <algorithm>

#include "app/scene/actions/apply_test.hpp"

namespace rooftile::scene {
namespace {

using testing::IsEmpty;

TEST(Live, MovingTheDialAsksForAMeasurement) {
  AppState state = live_state();
  const Requests requests = apply(state, {SetParameter{"TILE", 32}});
  ASSERT_TRUE(requested<MeasurePlace>(requests));
  EXPECT_EQ(requested<MeasurePlace>(requests)->configuration.kernel, state.choice.kernel);
  EXPECT_EQ(requested<MeasurePlace>(requests)->configuration.parameters.at("TILE"), 32);
}

TEST(Live, WhereTheNextMoveMayLeadIsCompiledMeanwhile) {
  AppState state = live_state();
  apply(state, {SelectKernel{"sgemm_naive"}, SetParameter{"BLOCK_X", 64}, SelectKernel{"sgemm_tiled"}});
  const Requests requests = apply(state, {SetParameter{"TILE", 32}});
  std::vector<std::string> places;
  for (const Configuration& place : requested<MeasurePlace>(requests)->next) {
    places.push_back(place.kernel + " " +
                     (place.kernel == "sgemm_tiled" ? number(place.parameters.at("TILE")) : ""));
  }
  EXPECT_EQ(places.front(), "sgemm_tiled 16") << "the nearest value first";
  EXPECT_THAT(places, testing::Contains("transpose_tiled ")) << "other kernels behind them";
  const auto naive =
      std::ranges::find(requested<MeasurePlace>(requests)->next, "sgemm_naive", &Configuration::kernel);
  ASSERT_NE(naive, requested<MeasurePlace>(requests)->next.end());
  EXPECT_EQ(naive->parameters, (Parameters{{"BLOCK_X", 64}})) << "as its dials were left";
}

TEST(Live, OfManyMovesInOneFrameTheLastIsMeasured) {
  AppState state = live_state();
  const Requests requests = apply(state, {SetParameter{"TILE", 4}, SetParameter{"TILE", 8}});
  EXPECT_EQ(requested<MeasurePlace>(requests)->configuration.parameters.at("TILE"), 8);
}

TEST(Live, AGhostStandsUntilThePointLands) {
  AppState state = live_state();
  state.choice.kernel = "sgemm_tiled";
  apply(state, {SetParameter{"TILE", 32}});
  EXPECT_THAT(state.derived.shown.chart.rows, IsEmpty());
  EXPECT_TRUE(state.derived.shown.chart.ghost);
  land(state, counted_point(state, 1, "sgemm_tiled", {{"TILE", 32}}));
  EXPECT_EQ(state.derived.shown.chart.rows.size(), 1u);
  EXPECT_EQ(state.derived.shown.subject->point.id, 1u);
}

TEST(Live, AFailedLaunchIsInTheTableAndNotOnTheChart) {
  AppState state = live_state();
  Point point = counted_point(state, 1, state.choice.kernel, {});
  point.failure = "The launch ran out of time.";
  land(state, point);
  EXPECT_THAT(state.derived.shown.chart.rows, IsEmpty());
  EXPECT_EQ(row(state, 0).failure, "The launch ran out of time.");
  EXPECT_EQ(state.derived.shown.subject->verdict.title, "This launch failed");
}

TEST(Requests, WhatIsAskedOfTheSessionFollowsFromTheMode) {
  struct Case {
    const char* what;
    Action action;
    bool recorded, predicted, live;  // whether anything is asked for
  };
  const Case cases[] = {{"measure again", MeasureAgain{}, false, true, true},
                        {"another size", SetParameter{"N", 1024}, false, true, true},
                        {"the roofs", MeasureRoofs{}, false, false, true},
                        {"a sweep", StartSweep{}, false, false, true},
                        {"lines", CountLines{}, false, false, false},
                        {"look", SelectLevel{MemoryLevel::l2}, false, false, false},
                        {"export", ExportSession{}, true, true, true},
                        {"cancel", CancelSweep{}, true, true, true}};
  for (const auto& [what, action, recorded, predicted, live] : cases) {
    const auto requests_any = [&](AppState state, const Actions& before) {
      apply(state, before);
      return !apply(state, {action}).empty();
    };
    EXPECT_EQ(requests_any(recorded_state(), {SetParameter{"N", 2048}}), recorded) << what;
    EXPECT_EQ(requests_any(recorded_state(), {SelectGpu{"RTX 4090"}, SetParameter{"N", 2048}}), predicted)
        << what;
    EXPECT_EQ(requests_any(live_state(), {SelectKernel{"sgemm_tiled"}}), live) << what;
  }
}

TEST(Requests, OtherCachesAreMeasuredOnce) {
  AppState state = live_state();
  const Requests requests = apply(state, {SetCaches{Caches::warm}});
  ASSERT_TRUE(requested<MeasurePlace>(requests));
  EXPECT_EQ(requested<MeasurePlace>(requests)->configuration.caches, Caches::warm);
  EXPECT_FALSE(requested<MeasurePlace>(apply(state, {SetCaches{Caches::warm}})));
}

TEST(Requests, NothingAskedNothingWorkedOut) {
  AppState state = recorded_state();
  state.derived.shown.device = "as it was";
  apply(state, {});
  EXPECT_EQ(state.derived.shown.device, "as it was");
}

}  // namespace
}  // namespace rooftile::scene
