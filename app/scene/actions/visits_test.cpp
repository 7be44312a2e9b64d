// How dials lead to points, and points back to dials.
#include "app/scene/actions/visits.hpp"

#include <gmock/gmock.h>

#include "app/scene/state/test_session.hpp"

namespace rooftile::scene {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Visit, MakesAPointTheNewestAndKeepsItOnce) {
  Choice choice;
  for (const std::uint64_t id : {1u, 2u, 3u, 1u, 1u, 2u}) {
    visit(choice, id);
  }
  EXPECT_THAT(choice.trail, ElementsAre(3, 1, 2));
}

TEST(VisitDialled, FindsOnlyWhatWasRecorded) {
  AppState state = recorded_state();
  struct Case {
    Parameters given;
    std::vector<std::uint64_t> trail;
  };
  for (const auto& [given, trail] : {Case{{{"TILE", 8}, {"N", 1024}}, {3}},
                                     {{{"TILE", 16}, {"N", 1024}}, {}},
                                     {{{"TILE", 32}, {"PAD_A", 1}}, {7}}}) {
    state.choice.trail.clear();
    state.choice.given["sgemm_tiled"] = given;
    visit_dialled(state);
    EXPECT_EQ(state.choice.trail, trail);
  }
}

TEST(VisitDialled, DoesNothingOnALiveGpu) {
  AppState state = live_state();
  const Point point = counted_point(state, 1, "sgemm_tiled", {});
  land(state, point);
  state.choice.trail.clear();
  dial_to(state, point);
  visit_dialled(state);
  EXPECT_THAT(state.choice.trail, IsEmpty());
}

TEST(SettleOnRecording, TurnsTheDialsToTheNearestPlace) {
  AppState state = recorded_state();
  state.choice.given["sgemm_tiled"] = {{"TILE", 32}, {"PAD_A", 5}, {"N", 1024}};
  settle_on_recording(state);
  EXPECT_EQ(dialled(state).at("TILE"), 32);
  EXPECT_EQ(dialled(state).at("PAD_A"), 0);
  EXPECT_EQ(dialled(state).at("N"), 1024);
  EXPECT_EQ(state.choice.trail.back(), 5u);
}

TEST(SettleOnRecording, TakesTheOtherCachesWhereTheseWereNotRecorded) {
  AppState state = recorded_state();
  state.choice.caches = Caches::warm;
  settle_on_recording(state);
  EXPECT_EQ(state.choice.caches, Caches::cold);
}

TEST(VisitFirstDial, LeadsUpToWhereItStandsOldestFirst) {
  struct Case {
    double tile;
    std::vector<std::uint64_t> trail;
  };
  for (const auto& [tile, trail] : {Case{4, {2}}, {8, {2, 4}}, {16, {2, 4}}, {32, {2, 4, 6}}}) {
    AppState state = recorded_state();
    state.choice.trail.clear();
    state.choice.given["sgemm_tiled"] = {{"TILE", tile}};
    visit_first_dial(state);
    EXPECT_EQ(state.choice.trail, trail) << tile;
  }
}

TEST(DialTo, LeadsBackToEveryPointThatWasRecorded) {
  AppState state = recorded_state();
  for (const Point& point : state.known.session.log->points) {
    dial_to(state, point);
    EXPECT_EQ(state.choice.kernel, point.kernel);
    EXPECT_EQ(state.choice.caches, point.caches);
    EXPECT_EQ(dialled(state), point.parameters) << point.id;
  }
}

}  // namespace
}  // namespace rooftile::scene
