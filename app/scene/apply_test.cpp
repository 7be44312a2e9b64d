#include <gmock/gmock.h>

#include <algorithm>

#include "analysis/format.hpp"
#include "app/scene/actions.hpp"
#include "app/scene/chart.hpp"
#include "app/scene/point_rows.hpp"
#include "app/scene/test_session.hpp"

namespace rooftile::scene {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Dial& dial(const AppState& state, const std::string& name) {
  return *std::ranges::find(state.shown.dials, name, &Dial::name);
}

const DialOption& option(const AppState& state, const std::string& name, double value) {
  return *std::ranges::find(dial(state, name).options, value, &DialOption::value);
}

double standing_at(const AppState& state, const std::string& name) {
  return dial(state, name).options[dial(state, name).selected].value;
}

std::vector<std::string> labels(const AppState& state) {
  std::vector<std::string> words;
  for (const ChartRow& row : state.shown.chart.rows) {
    words.push_back(row.label);
  }
  return words;
}

TableRow row(const AppState& state, std::size_t index) {
  return table_row(state, state.shown.table.ids.at(index), roofs_of(state));
}

// A recording.

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
  EXPECT_EQ(state.shown.chart.rows.back().freshness, 1);
}

TEST(Recorded, AParameterTheKernelHasGotSinceHasItsDefault) {
  const AppState state = state_without_session();
  Point point = counted_point(state, 7, "transpose_tiled", {{"PAD", 1}});
  const Parameters now = point.parameters;
  point.parameters.erase("BYTES");
  Recordings recordings;
  recordings.add(point, state.catalogue);
  point.id = 8;
  point.parameters["FORGOTTEN"] = 1;
  recordings.add(point, state.catalogue);
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
  const Orders orders = apply(state, {SetParameter{"TILE", 32}, StartSweep{}, MeasureAgain{}});
  EXPECT_FALSE(orders.measure);
  EXPECT_THAT(orders.sweep, IsEmpty());
}

TEST(Recorded, ASweepShowsEveryRecordedSettingAtThisSize) {
  AppState state = recorded_state();
  apply(state, {SetParameter{"N", 2048}, StartSweep{}});
  EXPECT_EQ(state.shown.chart.rows.size(), 4u);
}

TEST(Recorded, AKernelWithoutARecordingIsPredicted) {
  AppState state = recorded_state();
  apply(state, {SelectKernel{"sgemm_naive"}});
  EXPECT_EQ(mode(state), Mode::predicted);
  EXPECT_THAT(state.shown.chart.rows, IsEmpty());
  ASSERT_TRUE(state.shown.chart.ghost);
  EXPECT_EQ(state.shown.chart.ghost->evidence, Evidence::predicted);
  EXPECT_TRUE(state.shown.why_no_sweep);
}

// Live.

TEST(Live, MovingTheDialAsksForAMeasurement) {
  AppState state = live_state();
  const Orders orders = apply(state, {SetParameter{"TILE", 32}});
  ASSERT_TRUE(orders.measure);
  EXPECT_EQ(orders.measure->kernel, state.choice.kernel);
  EXPECT_EQ(orders.measure->parameters.at("TILE"), 32);
}

TEST(Live, WhereTheNextMoveMayLeadIsCompiledMeanwhile) {
  AppState state = live_state();
  apply(state, {SelectKernel{"sgemm_naive"}, SetParameter{"BLOCK_X", 64}, SelectKernel{"sgemm_tiled"}});
  const Orders orders = apply(state, {SetParameter{"TILE", 32}});
  std::vector<std::string> places;
  for (const Configuration& place : orders.prepare) {
    places.push_back(place.kernel + " " +
                     (place.kernel == "sgemm_tiled" ? number(place.parameters.at("TILE")) : ""));
  }
  EXPECT_EQ(places.front(), "sgemm_tiled 16") << "the nearest value first";
  EXPECT_THAT(places, testing::Contains("transpose_tiled ")) << "other kernels behind them";
  const auto naive = std::ranges::find(orders.prepare, "sgemm_naive", &Configuration::kernel);
  ASSERT_NE(naive, orders.prepare.end());
  EXPECT_EQ(naive->parameters, (Parameters{{"BLOCK_X", 64}})) << "as its dials were left";
}

TEST(Live, OfManyMovesInOneFrameTheLastIsMeasured) {
  AppState state = live_state();
  const Orders orders = apply(state, {SetParameter{"TILE", 4}, SetParameter{"TILE", 8}});
  EXPECT_EQ(orders.measure->parameters.at("TILE"), 8);
}

TEST(Live, AGhostStandsUntilThePointLands) {
  AppState state = live_state();
  state.choice.kernel = "sgemm_tiled";
  apply(state, {SetParameter{"TILE", 32}});
  EXPECT_THAT(state.shown.chart.rows, IsEmpty());
  EXPECT_TRUE(state.shown.chart.ghost);
  land(state, counted_point(state, 1, "sgemm_tiled", {{"TILE", 32}}));
  EXPECT_EQ(state.shown.chart.rows.size(), 1u);
  EXPECT_EQ(state.shown.subject->point.id, 1u);
}

TEST(Live, AFailedLaunchIsInTheTableAndNotOnTheChart) {
  AppState state = live_state();
  Point point = counted_point(state, 1, state.choice.kernel, {});
  point.failure = "The launch ran out of time.";
  land(state, point);
  EXPECT_THAT(state.shown.chart.rows, IsEmpty());
  EXPECT_EQ(row(state, 0).failure, "The launch ran out of time.");
  EXPECT_EQ(state.shown.subject->verdict.title, "This launch failed");
}

TEST(Live, ASweepMeasuresEveryLegalSettingOfTheDials) {
  AppState state = live_state();
  apply(state, {SelectKernel{"transpose_tiled"}, CountSweep{}});
  const Orders orders = apply(state, {StartSweep{}});
  EXPECT_EQ(orders.sweep.size(), state.shown.sweep_size.value_or(SweepSize{}).launches);
  for (const Configuration& each : orders.sweep) {
    EXPECT_EQ(why_illegal(kernel(state), each.parameters), std::nullopt);
  }
  EXPECT_TRUE(apply(state, {CancelSweep{}}).cancel_sweep);
}

// Dials.

TEST(Dials, AnIllegalValueSaysWhyAndIsNotTaken) {
  AppState state = live_state();
  apply(state, {SelectKernel{"transpose_tiled"}, SetParameter{"ROWS", 4}});
  EXPECT_THAT(option(state, "TILE", 8).why_not.value_or(""), HasSubstr("does not fill one warp"));
  const Orders orders = apply(state, {SetParameter{"TILE", 8}});
  EXPECT_EQ(standing_at(state, "TILE"), 32);
  EXPECT_FALSE(orders.measure);
  EXPECT_THAT(state.view.message.value_or(Message{}).text, HasSubstr("does not fill one warp"));
}

TEST(Dials, ASizeFollowsUntilItIsSetAndCanFollowAgain) {
  AppState state = live_state();
  apply(state, {SelectKernel{"sgemm_tiled"}, SetParameter{"N", 512}});
  EXPECT_EQ(standing_at(state, "M"), 512);
  EXPECT_TRUE(dial(state, "M").following);
  apply(state, {SetParameter{"M", 1024}, SetParameter{"N", 256}});
  EXPECT_EQ(standing_at(state, "M"), 1024);
  EXPECT_FALSE(dial(state, "M").following);
  apply(state, {FollowAgain{"M"}});
  EXPECT_EQ(standing_at(state, "M"), 256);
}

TEST(Dials, AValueBetweenTheOfferedOnesGetsAPlaceOfItsOwn) {
  AppState state = live_state();
  apply(state, {SelectKernel{"sgemm_tiled"}, SetParameter{"N", 1000}});
  EXPECT_EQ(standing_at(state, "N"), 1000);
  EXPECT_EQ(dial(state, "N").options[1].value, 512);
  EXPECT_EQ(dial(state, "N").options[2].value, 1000);
}

TEST(Dials, LargeValuesAreShort) {
  AppState state = live_state();
  apply(state, {SelectKernel{"histogram_global"}});
  EXPECT_EQ(option(state, "BINS", 256).text, "256");
  EXPECT_EQ(option(state, "BINS", 65536).text, "64K");
  EXPECT_EQ(option(state, "BINS", 1048576).text, "1M");
  apply(state, {SelectKernel{"sgemm_tiled"}});
  EXPECT_EQ(option(state, "N", 2048).text, "2048") << "there is room for all digits";
}

TEST(Dials, TabGoesRoundThoseThatAreShown) {
  AppState state = live_state();
  apply(state, {SelectKernel{"sgemm_tiled"}});
  EXPECT_EQ(state.view.dial, "TILE");
  apply(state, {NextDial{-1}});
  EXPECT_EQ(state.view.dial, "EXTRA");
  apply(state, {NextDial{1}, NextDial{1}});
  EXPECT_EQ(state.view.dial, "PAD_A");
}

TEST(Dials, EachKernelKeepsItsOwn) {
  AppState state = live_state();
  apply(state, {SelectKernel{"sgemm_tiled"}, SetParameter{"TILE", 8}, SelectKernel{"transpose_tiled"},
                SelectKernel{"sgemm_tiled"}});
  EXPECT_EQ(standing_at(state, "TILE"), 8);
}

// Points.

TEST(Points, APointOfTheTableTurnsTheDialsToItsPlace) {
  AppState state = recorded_state();
  apply(state, {SetParameter{"TILE", 4}, SetParameter{"TILE", 32}, SelectKernel{"transpose_tiled"}});
  const std::uint64_t old = state.choice.trail.front();
  apply(state, {SelectPoint{old}});
  EXPECT_EQ(state.choice.kernel, "sgemm_tiled");
  EXPECT_EQ(current_point(state)->id, old);
}

TEST(Points, APinnedPointOfAnotherKernelStaysOnTheChart) {
  AppState state = live_state();
  land(state, counted_point(state, 1, "sgemm_naive", {}));
  apply(state, {Pin{1}, SelectKernel{"sgemm_tiled"}});
  EXPECT_THAT(labels(state), ElementsAre(HasSubstr("sgemm_naive")));
  apply(state, {Pin{1}});
  EXPECT_THAT(labels(state), IsEmpty());
}

TEST(Points, UndoBringsBackWhatWasRemoved) {
  AppState state = recorded_state();
  const std::size_t rows = state.shown.table.ids.size();
  apply(state, {Remove{state.choice.trail.front()}});
  EXPECT_EQ(state.shown.table.ids.size(), rows - 1);
  apply(state, {Undo{}});
  EXPECT_EQ(state.shown.table.ids.size(), rows);
}

TEST(Points, ARemovedPointDoesNotLandAgain) {
  AppState state = live_state();
  land(state, counted_point(state, 1, state.choice.kernel, {}));
  apply(state, {Remove{1}});
  land(state, counted_point(state, 1, state.choice.kernel, {}));
  EXPECT_THAT(state.shown.table.ids, IsEmpty());
}

// The source.

const SourceLine& source_line(const AppState& state, int number) {
  return *std::ranges::find(state.shown.source.lines, number, &SourceLine::number);
}

TEST(Source, OfARecordingShowsWhatEachLineDid) {
  AppState state = recorded_state();
  apply(state, {SelectKernel{"transpose_tiled"}, SetParameter{"PAD", 0}});
  EXPECT_EQ(state.shown.source.lines.front().number, 2) << "comments before the code are left out";
  EXPECT_EQ(state.shown.source.lines.size(), 3u);
  EXPECT_TRUE(source_line(state, 3).facts.empty());
  const SourceLine& load = source_line(state, 4);
  EXPECT_EQ(load.heat, 1);
  EXPECT_EQ(load.samples, "75 %");
  EXPECT_EQ(load.waits_for, "short_scoreboard");
  EXPECT_EQ(load.wavefronts, "16,000  32x");
  EXPECT_TRUE(load.conflicts);
  EXPECT_FALSE(source_line(state, 2).conflicts);
  EXPECT_EQ(source_line(state, 2).sectors, "4,000");
  EXPECT_THAT(load.facts, testing::Contains("16,000 wavefronts of shared memory, ideally 500"));
  EXPECT_THAT(state.shown.source.summary, testing::StartsWith("60 % short_scoreboard   20 % long_scoreboard"));
  apply(state, {SetParameter{"PAD", 1}});
  EXPECT_FALSE(state.shown.source.counted) << "nobody counted the lines of this one";
  EXPECT_FALSE(apply(state, {CountLines{}}).profile);
}

TEST(Source, OfALiveLaunchIsAskedForOnceItWasMeasured) {
  AppState state = live_state();
  apply(state, {SelectKernel{"transpose_tiled"}});
  EXPECT_THAT(state.shown.source.why_not.value_or(""), HasSubstr("Measure this launch first"));
  const Point point = counted_point(state, 1, "transpose_tiled", {});
  land(state, point);
  EXPECT_THAT(state.shown.source.cost, HasSubstr("3 launches"));
  const Orders orders = apply(state, {CountLines{}});
  ASSERT_TRUE(orders.profile);
  EXPECT_EQ(orders.profile->parameters, point.parameters);
  land(state, line_profile(point));
  EXPECT_EQ(state.shown.source.lines.size(), 3u);
}

}  // namespace
}  // namespace rooftile::scene
