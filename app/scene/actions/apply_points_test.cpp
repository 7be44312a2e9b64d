// Actions on launches, and on what is shown of one.
#include <algorithm>

#include "app/scene/actions/apply_test.hpp"
#include "app/scene/launch/source_view.hpp"

namespace rooftile::scene {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

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
  const std::size_t rows = state.derived.shown.table.ids.size();
  apply(state, {Remove{state.choice.trail.front()}});
  EXPECT_EQ(state.derived.shown.table.ids.size(), rows - 1);
  apply(state, {Undo{}});
  EXPECT_EQ(state.derived.shown.table.ids.size(), rows);
}

TEST(Points, ARemovedPointDoesNotLandAgain) {
  AppState state = live_state();
  land(state, counted_point(state, 1, state.choice.kernel, {}));
  apply(state, {Remove{1}});
  land(state, counted_point(state, 1, state.choice.kernel, {}));
  EXPECT_THAT(state.derived.shown.table.ids, IsEmpty());
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

SourceLine source_line(const AppState& state, int number) {
  const SourceView view = source_view(state);
  return *std::ranges::find(view.lines, number, &SourceLine::number);
}

TEST(Source, OfARecordingShowsWhatEachLineDid) {
  AppState state = recorded_state();
  apply(state, {SelectKernel{"transpose_tiled"}, SetParameter{"PAD", 0}});
  EXPECT_EQ(source_view(state).lines.front().number, 2) << "comments before the code are left out";
  EXPECT_EQ(source_view(state).lines.size(), 3u);
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
  EXPECT_THAT(source_view(state).summary, testing::StartsWith("60 % short_scoreboard   20 % long_scoreboard"));
  apply(state, {SetParameter{"PAD", 1}});
  EXPECT_FALSE(source_view(state).counted) << "nobody counted the lines of this one";
  EXPECT_FALSE(requested<CountLinesOf>(apply(state, {CountLines{}})));
}

TEST(Source, OfALiveLaunchIsAskedForOnceItWasMeasured) {
  AppState state = live_state();
  apply(state, {SelectKernel{"transpose_tiled"}});
  EXPECT_THAT(source_view(state).why_not.value_or(""), HasSubstr("Measure this launch first"));
  const Point point = counted_point(state, 1, "transpose_tiled", {});
  land(state, point);
  EXPECT_THAT(source_view(state).cost, HasSubstr("3 launches"));
  const Requests requests = apply(state, {CountLines{}});
  ASSERT_TRUE(requested<CountLinesOf>(requests));
  EXPECT_EQ(requested<CountLinesOf>(requests)->configuration.parameters, point.parameters);
  land(state, line_profile(point));
  EXPECT_EQ(source_view(state).lines.size(), 3u);
}

}  // namespace
}  // namespace rooftile::scene
