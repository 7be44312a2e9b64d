// Actions in a recording.
#include "app/scene/actions/apply_test.hpp"

namespace rooftile::scene {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Recorded, OpensOnTheKernelThatWasMeasuredMostWithATrailOfItsFirstDial) {
  const AppState state = recorded_state();
  EXPECT_EQ(state.choice.kernel, "sgemm_tiled");
  EXPECT_EQ(mode(state), Mode::recorded);
  EXPECT_EQ(labels(state).back(), "tile " + number(standing_at(state, "TILE")));
}

TEST(Recorded, MovingTheDialSelectsTheRecordedPointAndMakesItNewest) {
  AppState state = recorded_state();
  apply(state, {SetParameter{"TILE", 32}});
  EXPECT_EQ(current_point(state)->parameters.at("TILE"), 32);
  EXPECT_EQ(row(state, 0).dials, "tile 32");
  EXPECT_TRUE(row(state, 0).current);
  apply(state, {SetParameter{"TILE", 8}});
  EXPECT_EQ(row(state, 0).dials, "tile 8");
  EXPECT_EQ(state.derived.shown.chart.rows.back().freshness, 1);
}

TEST(Recorded, AParameterTheKernelHasGotSinceHasItsDefault) {
  const AppState state = state_without_session();
  Point point = counted_point(state, 7, "transpose_tiled", {{"PAD", 1}});
  const Parameters now = point.parameters;
  point.parameters.erase("BYTES");
  Recordings recordings;
  recordings.add(point, state.known.catalogue);
  point.id = 8;
  point.parameters["FORGOTTEN"] = 1;
  recordings.add(point, state.known.catalogue);
  EXPECT_EQ(recordings.find(point.gpu, point.kernel, point.caches, now), 7u);
}

TEST(Recorded, TheTrailIsWhatWasVisitedOldestFirst) {
  AppState state = recorded_state();
  apply(state, {SetParameter{"TILE", 4}, SetParameter{"TILE", 8}, SetParameter{"TILE", 32}});
  EXPECT_THAT(labels(state), ElementsAre("tile 4", "tile 8", "tile 32"));
}

TEST(Recorded, ValuesWithoutARecordingAreGreyedWithTheReason) {
  AppState state = recorded_state();
  apply(state, {SetParameter{"TILE", 8}});
  EXPECT_THAT(option(state, "TILE", 16).why_not.value_or(""), HasSubstr("Not recorded"));
  EXPECT_THAT(option(state, "PAD_A", 1).why_not.value_or(""), HasSubstr("Not recorded"));
  EXPECT_FALSE(option(state, "TILE", 32).why_not);
}

TEST(Recorded, StepsGoPastWhatWasNotRecorded) {
  AppState state = recorded_state();
  apply(state, {SetParameter{"TILE", 8}, StepParameter{"TILE", 1}});
  EXPECT_EQ(standing_at(state, "TILE"), 32);
  apply(state, {StepParameter{"TILE", 1}});
  EXPECT_EQ(standing_at(state, "TILE"), 32);
  apply(state, {EndOfDial{"TILE", false}});
  EXPECT_EQ(standing_at(state, "TILE"), 4);
  apply(state, {EndOfDial{"TILE", true}});
  EXPECT_EQ(standing_at(state, "TILE"), 32);
}

TEST(Recorded, NothingIsLaunched) {
  AppState state = recorded_state();
  const Requests requests = apply(state, {SetParameter{"TILE", 32}, StartSweep{}, MeasureAgain{}});
  EXPECT_FALSE(requested<MeasurePlace>(requests));
  EXPECT_THAT(swept(requests), IsEmpty());
}

TEST(Recorded, ASweepShowsEveryRecordedSettingAtThisSize) {
  AppState state = recorded_state();
  apply(state, {SetParameter{"N", 2048}, StartSweep{}});
  EXPECT_EQ(state.derived.shown.chart.rows.size(), 4u);
}

TEST(Recorded, AKernelWithoutARecordingIsPredicted) {
  AppState state = recorded_state();
  apply(state, {SelectKernel{"sgemm_naive"}});
  EXPECT_EQ(mode(state), Mode::predicted);
  EXPECT_THAT(state.derived.shown.chart.rows, IsEmpty());
  ASSERT_TRUE(state.derived.shown.chart.ghost);
  EXPECT_EQ(state.derived.shown.chart.ghost->evidence, Evidence::predicted);
  EXPECT_TRUE(state.derived.shown.why_no_sweep);
}

}  // namespace
}  // namespace rooftile::scene
