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

// Undo.

TEST(Undo, TakesBackEveryMoveWithWhatItChanged) {
  const Place warm_corner{complete(kernel(recorded_state()), {{"TILE", 32}, {"PAD_A", 1}}), Caches::cold};
  struct Case {
    const char* what;
    Action action;
  };
  const Case cases[] = {{"a GPU", SelectGpu{"RTX 4090"}},
                        {"a kernel", SelectKernel{"transpose_tiled"}},
                        {"a dial", SetParameter{"TILE", 32}},
                        {"a step", StepParameter{"TILE", 1}},
                        {"the end", EndOfDial{"TILE", true}},
                        {"a place", GoTo{warm_corner}},
                        {"a point", SelectPoint{7}},
                        {"a pin", Pin{1}},
                        {"a removal", Remove{recorded_state().choice.trail.back()}},
                        {"a sweep", StartSweep{}}};
  for (const auto& [what, action] : cases) {
    AppState state = recorded_state();
    const Choice before = state.choice;
    const std::vector<std::uint64_t> table = state.shown.table.ids;
    apply(state, {action});
    EXPECT_NE(state.choice, before) << what;
    apply(state, {Undo{}});
    EXPECT_EQ(state.choice, before) << what;
    EXPECT_EQ(state.shown.table.ids, table) << what;
  }
}

TEST(Undo, IsNotSpentOnWhatIsOnlyLookedAt) {
  const Actions looks = {SelectLevel{MemoryLevel::l2},
                         ToggleInstructions{},
                         ToggleOccupancyOnDots{},
                         SelectOrigin{Origin::datasheet},
                         Fit{},
                         SetAxes{},
                         SetChartShare{0.5f},
                         ToggleTheme{},
                         SetScale{2},
                         ToggleAnimation{},
                         ToggleMore{},
                         ToggleKeys{},
                         SelectSide{SidePanel::proof},
                         SelectLower{LowerPanel::source},
                         ToggleDrawer{Drawer::dials},
                         SelectRoof{"L2"},
                         FocusDial{"PAD_A"},
                         NextDial{},
                         ToggleGroup{"Transpose"},
                         ToggleSweep{},
                         SetSweep{},
                         PauseSweep{},
                         Dismiss{},
                         ExportPicture{},
                         ExportSession{},
                         CancelSweep{},
                         SelectKernel{"sgemm_tiled"},
                         SetCaches{Caches::cold},
                         SelectPoint{12345},
                         StepParameter{"NO SUCH DIAL", 1},
                         EndOfDial{"NO SUCH DIAL", true}};
  AppState state = recorded_state();
  const Choice before = state.choice;
  for (const Action& look : looks) {
    apply(state, {look});
    EXPECT_EQ(state.choice, before) << look.index();
    EXPECT_THAT(state.older_choices, IsEmpty()) << look.index();
  }
  apply(state, {Undo{}, Undo{}});
  EXPECT_EQ(state.choice, before) << "there is nothing to take back";
}

TEST(Undo, GoesBackAHundredMoves) {
  AppState state = live_state();
  for (std::uint64_t id = 1; id <= 130; ++id) {
    apply(state, {Pin{id}});
  }
  EXPECT_EQ(state.older_choices.size(), 100u);
  const Actions more_than_there_are(200, Undo{});
  apply(state, more_than_there_are);
  EXPECT_EQ(state.choice.pinned.size(), 30u);
}

// Orders.

TEST(Orders, WhatIsAskedOfTheSessionFollowsFromTheMode) {
  struct Case {
    const char* what;
    Action action;
    bool recorded, predicted, live;  // whether anything is ordered
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
    const auto orders_any = [&](AppState state, const Actions& before) {
      apply(state, before);
      const Orders orders = apply(state, {action});
      return orders.measure || orders.profile || orders.roofs || !orders.sweep.empty() || orders.cancel_sweep ||
             orders.export_picture || orders.export_session;
    };
    EXPECT_EQ(orders_any(recorded_state(), {SetParameter{"N", 2048}}), recorded) << what;
    EXPECT_EQ(orders_any(recorded_state(), {SelectGpu{"RTX 4090"}, SetParameter{"N", 2048}}), predicted)
        << what;
    EXPECT_EQ(orders_any(live_state(), {SelectKernel{"sgemm_tiled"}}), live) << what;
  }
}

TEST(Orders, OtherCachesAreMeasuredOnce) {
  AppState state = live_state();
  const Orders orders = apply(state, {SetCaches{Caches::warm}});
  ASSERT_TRUE(orders.measure);
  EXPECT_EQ(orders.measure->caches, Caches::warm);
  EXPECT_FALSE(apply(state, {SetCaches{Caches::warm}}).measure);
}

TEST(Orders, NothingAskedNothingWorkedOut) {
  AppState state = recorded_state();
  state.shown.device = "as it was";
  apply(state, {});
  EXPECT_EQ(state.shown.device, "as it was");
}

// What is looked at.

TEST(Look, ScaleAndShareStayWithinTheirLimits) {
  struct Case {
    float asked, scale, share;
  };
  AppState state = recorded_state();
  for (const auto& [asked, scale, share] :
       {Case{-1, 0.6f, 0}, {0.5f, 0.6f, 0.5f}, {0.75f, 0.75f, 0.75f}, {2, 2, 1}, {50, 3, 1}}) {
    apply(state, {SetScale{asked}, SetChartShare{asked}});
    EXPECT_EQ(state.settings.scale, scale) << asked;
    EXPECT_EQ(state.settings.chart_share, share) << asked;
  }
  state.display_scale = 1.5f;
  apply(state, {ResetScale{}});
  EXPECT_EQ(state.settings.scale, 1.5f);
}

TEST(Look, TogglingTwiceLeadsBack) {
  AppState state = recorded_state();
  const Settings settings = state.settings;
  const Actions toggles = {ToggleTheme{}, ToggleAnimation{},    ToggleMore{},
                           ToggleKeys{},  ToggleInstructions{}, ToggleOccupancyOnDots{}};
  apply(state, toggles);
  EXPECT_EQ(state.settings.theme, Theme::light);
  EXPECT_FALSE(state.settings.animate);
  EXPECT_TRUE(state.view.more_open && state.view.keys_open && state.view.instructions);
  apply(state, toggles);
  EXPECT_EQ(state.settings, settings);
  EXPECT_FALSE(state.view.more_open || state.view.keys_open || state.view.instructions);
}

TEST(Look, OneDrawerIsOpenAtATime) {
  AppState state = recorded_state();
  apply(state, {ToggleDrawer{Drawer::kernels}});
  EXPECT_EQ(state.view.drawer, Drawer::kernels);
  apply(state, {ToggleDrawer{Drawer::points}});
  EXPECT_EQ(state.view.drawer, Drawer::points);
  apply(state, {ToggleDrawer{Drawer::points}});
  EXPECT_FALSE(state.view.drawer);
  apply(state, {SelectRoof{"L2"}, ToggleKeys{}, CloseWhatIsOpen{}});
  EXPECT_FALSE(state.view.drawer);
  EXPECT_FALSE(state.view.keys_open);
  EXPECT_EQ(state.view.lower, LowerPanel::roofs) << "a panel is no drawer";
}

TEST(Points, AKernelThatIsGoneCannotBeTurnedTo) {
  AppState state = live_state();
  Point point = counted_point(state, 1, "sgemm_tiled", {});
  point.kernel = "gone";
  land(state, point);
  const Choice before = state.choice;
  apply(state, {SelectPoint{1}});
  EXPECT_EQ(state.choice, before);
}

TEST(Points, ThePinGoesWithTheRemovedPoint) {
  AppState state = recorded_state();
  const std::uint64_t id = state.choice.trail.back();
  apply(state, {Pin{id}, Remove{id}});
  EXPECT_THAT(state.choice.pinned, IsEmpty());
  apply(state, {Undo{}});
  EXPECT_THAT(state.choice.pinned, ElementsAre(id));
}

}  // namespace
}  // namespace rooftile::scene
