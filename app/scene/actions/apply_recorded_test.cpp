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
  EXPECT_FALSE(state.derived.shown.chart.ghost) << "it stands on the trail";
  ASSERT_EQ(state.derived.shown.chart.rows.size(), 1u);
  EXPECT_EQ(state.derived.shown.chart.rows[0].evidence, Evidence::predicted);
}

// A GPU that only a table knows is a full place to explore.
TEST(Predicted, EachPlaceDialledJoinsTrailTableAndWhy) {
  AppState state = recorded_state();
  apply(state, {SelectGpu{"RTX 4090"}, SelectKernel{"sgemm_tiled"}, ShowPanel{Panel::why}});
  apply(state, {SetParameter{"TILE", 8}});
  apply(state, {SetParameter{"TILE", 32}});
  const auto& shown = state.derived.shown;
  EXPECT_EQ(shown.chart.rows.size(), 3u);
  EXPECT_EQ(shown.chart.rows.back().label, "tile 32");
  EXPECT_THAT(shown.chart.rows.back().figure, testing::StartsWith("predicted "));
  EXPECT_EQ(shown.table.ids.size(), 3u);
  ASSERT_TRUE(shown.subject && shown.subject->why);
  EXPECT_THAT(shown.subject->why->sentence, testing::StartsWith("Predicted: "));
  EXPECT_EQ(shown.subject->why->bars.front().name, "tile 8");
}

TEST(Predicted, APinStaysAndALineOfTheTableLeadsBack) {
  AppState state = recorded_state();
  apply(state, {SelectGpu{"RTX 4090"}, SelectKernel{"sgemm_tiled"}, SetParameter{"TILE", 8}});
  const std::uint64_t first = state.derived.shown.chart.rows.back().id;
  apply(state, {Pin{first}, SetParameter{"TILE", 32}});
  apply(state, {SelectPoint{first}});
  EXPECT_EQ(dialled(state).at("TILE"), 8);
  EXPECT_TRUE(state.derived.shown.chart.rows.back().pinned);
  EXPECT_EQ(state.derived.shown.chart.rows.back().id, first);
}

TEST(Predicted, ASweepShowsEveryPlaceOnceAndTheBestIsTheLeastTime) {
  AppState state = recorded_state();
  apply(state, {SelectGpu{"RTX 4090"}, SelectKernel{"sgemm_tiled"}, ToggleSweep{}});
  const std::size_t launches = state.derived.shown.sweep.launches;
  ASSERT_GT(launches, 4u);
  EXPECT_THAT(state.derived.shown.sweep.size, testing::HasSubstr("predicted places"));
  EXPECT_TRUE(apply(state, {StartSweep{}}).empty());
  apply(state, {StartSweep{}});
  EXPECT_EQ(state.derived.shown.table.ids.size(), launches);
  apply(state, {FindBest{}});
  const Seconds best = *state.derived.shown.subject->point.modelled.time;
  for (const std::uint64_t id : state.derived.shown.table.ids) {
    EXPECT_GE(*find_point(state, id)->modelled.time, best);
  }
  EXPECT_THAT(state.view.message->text, testing::HasSubstr("Nothing was launched."));
  EXPECT_EQ(dialled(state).at("PAD_A"), 0) << "padding 4 ties, and 0 is dialled";
}

TEST(Predicted, APlaceThatIsPredictedOtherwiseTakesOverWhatTheUserGaveIt) {
  AppState state = recorded_state();
  apply(state, {SelectGpu{"RTX 4090"}, SelectKernel{"sgemm_tiled"}, SetParameter{"TILE", 8}});
  const std::size_t places = state.choice.trail.size();
  apply(state, {NameLaunch{state.derived.shown.chart.rows.back().id, "mine"}});
  state.known.compiled = {};
  apply(state, {MeasureAgain{}});
  EXPECT_EQ(state.choice.trail.size(), places);
  EXPECT_EQ(state.derived.shown.chart.rows.back().label, "mine");
}

}  // namespace
}  // namespace rooftile::scene
