#include "app/scene/verdict/advice_view.hpp"

#include <gmock/gmock.h>

#include "analysis/text/format.hpp"
#include "app/scene/actions/actions.hpp"
#include "app/scene/picture/picture_advice.hpp"
#include "app/scene/picture/test_picture.hpp"
#include "app/scene/state/test_session.hpp"

namespace rooftile::scene {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

const Subject& subject_of(const AppState& state) {
  return *state.derived.shown.subject;
}

// The transpose with bank conflicts on a GPU at work.
AppState with_conflicts() {
  AppState state = live_state();
  apply(state, {SelectKernel{"transpose_tiled"}, SetParameter{"PAD", 0}});
  land(state, counted_point(state, 1, "transpose_tiled", {{"TILE", 32}, {"PAD", 0}}));
  return state;
}

TEST(AdviceView, SaysWhatToDoAndWhatItRestsOn) {
  const AppState state = with_conflicts();
  const auto& advice = subject_of(state).advice;
  ASSERT_TRUE(advice && advice->advice.move);
  EXPECT_THAT(advice->sentence, StartsWith("Set "));
  EXPECT_THAT(advice->facts, ElementsAre("Predicted, not measured."));
  EXPECT_FALSE(subject_of(state).why_not);
}

TEST(AdviceView, IsFollowedByOneAction) {
  AppState state = with_conflicts();
  const Parameters place = subject_of(state).advice->advice.move->place;
  const Requests requests = apply(state, {FollowAdvice{}});
  EXPECT_EQ(dialled(state), place);
  EXPECT_EQ(requested<MeasurePlace>(requests)->configuration.parameters, place);
  apply(state, {Undo{}});
  EXPECT_EQ(dialled(state).at("PAD"), 0);
}

TEST(AdviceView, AfterwardsPredictedAndMeasuredStandSideBySide) {
  for (const bool comes_true : {true, false}) {
    AppState state = with_conflicts();
    const Advice advice = subject_of(state).advice->advice;
    apply(state, {FollowAdvice{}});
    EXPECT_FALSE(subject_of(state).outcome) << "not measured yet";
    Point there = counted_point(state, 2, "transpose_tiled", advice.move->place);
    there.timing->median = (comes_true ? 0.9 : 1.1) * advice.here;
    land(state, there);
    const auto& outcome = subject_of(state).outcome;
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->wrong, !comes_true);
    EXPECT_THAT(outcome->sentence, StartsWith("Predicted " + text(advice.move->time) + ", measured " +
                                              text(there.timing->median) + "."));
    EXPECT_EQ(outcome->sentence.find("The advice was wrong") != std::string::npos, !comes_true);
  }
}

TEST(AdviceView, OfARecordingAPredictedMoveCannotBeMade) {
  AppState state = recorded_state();
  apply(state, {SelectKernel{"sgemm_tiled"}, SetParameter{"TILE", 4}});
  const auto& advice = subject_of(state).advice;
  ASSERT_TRUE(advice && advice->advice.move);
  const bool measured = advice->advice.move->launch.has_value();
  EXPECT_EQ(subject_of(state).why_not.has_value(), !measured);
}

TEST(AdviceView, OfAFailedOrWrongLaunchThereIsNone) {
  AppState state = live_state();
  apply(state, {SelectKernel{"transpose_tiled"}});
  Point wrong = counted_point(state, 1, "transpose_tiled", {});
  wrong.verification = Verification{false, 3, 1, "out[0] is 7, expected 8."};
  land(state, wrong);
  EXPECT_FALSE(subject_of(state).advice);
}

TEST(AdviceView, TheChartKnowsWhereItLeads) {
  AppState state = live_state();
  apply(state, {SelectKernel{"sgemm_tiled"}, SetParameter{"TILE", 8}});
  land(state, counted_point(state, 1, "sgemm_tiled", {{"TILE", 8}}));
  const Advice& advice = subject_of(state).advice->advice;
  ASSERT_TRUE(advice.move);
  ASSERT_TRUE(state.derived.shown.chart.advised);
  EXPECT_NEAR(
      *state.derived.shown.chart.advised->performance / *state.derived.shown.chart.rows.back().performance,
      advice.move->gain, 0.05 * advice.move->gain);
  EXPECT_THAT(state.derived.shown.chart.advised->figure, HasSubstr("x"));
}

TEST(AdviceView, TheMapKnowsTheCellWhereItLeadsUnlessThatIsThePresentOne) {
  AppState state = with_conflicts();
  apply(state, {ShowPanel{Panel::map}, SetMap{{.across = "PAD", .down = "TILE"}}});
  const Parameters place = subject_of(state).advice->advice.move->place;
  ASSERT_TRUE(state.derived.shown.landscape.advised);
  const MapCell& there = state.derived.shown.landscape.cells.at(*state.derived.shown.landscape.advised);
  EXPECT_EQ(there.place.at("PAD"), place.at("PAD"));
  EXPECT_EQ(there.place.at("TILE"), place.at("TILE"));
  EXPECT_FALSE(there.present);
  apply(state, {SetMap{{.across = "ROWS", .down = "N"}}});
  EXPECT_EQ(place.at("ROWS") == dialled(state).at("ROWS"), !state.derived.shown.landscape.advised);
}

// The arrow ends where the advised launch would stand, where a decade is 100 px.
TEST(AdvicePicture, IsAnArrowFromTheNewestDotWithTheGainAtItsHead) {
  Chart chart = round_chart();
  chart.rows = {row_at(1, 1, 1e12, Emphasis::newest)};
  chart.advised = row_at(2, 10, 1e13);
  chart.advised->figure = "10.00x";
  const ChartPicture picture = roofline_picture(chart, round_axes, {}, round_frame());
  const Spot here = picture.dots.front().at, there{here.x + 100, here.y - 100};
  const auto heads = marks<Area>(picture.inside);
  EXPECT_TRUE(std::ranges::any_of(heads, [&](const Area& area) {
    return area.corners.size() == 3 && std::abs(area.corners[0].x - there.x) < 0.5f &&
           std::abs(area.corners[0].y - there.y) < 0.5f;
  }));
  const auto words = marks<Words>(picture.inside);
  EXPECT_TRUE(std::ranges::any_of(words, [](const Words& each) { return each.text == "10.00x"; }));
}

TEST(AdvicePicture, WithoutAdviceThereIsNoArrow) {
  Chart chart = round_chart();
  chart.rows = {row_at(1, 1, 1e12, Emphasis::newest)};
  const auto before = marks<Stroke>(roofline_picture(chart, round_axes, {}, round_frame()).inside).size();
  chart.advised = row_at(2, 10, 1e13);
  EXPECT_EQ(marks<Stroke>(roofline_picture(chart, round_axes, {}, round_frame()).inside).size(), before + 1);
  chart.advised = row_at(2, 1.01, 1.01e12);  // as good as here
  EXPECT_EQ(marks<Stroke>(roofline_picture(chart, round_axes, {}, round_frame()).inside).size(), before);
}

}  // namespace
}  // namespace rooftile::scene
