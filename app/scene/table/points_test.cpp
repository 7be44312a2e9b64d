// The table of points, and what is selected in it.
#include <gmock/gmock.h>

#include <algorithm>

#include "app/scene/actions/actions.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/launch/dials.hpp"
#include "app/scene/launch/source_view.hpp"
#include "app/scene/state/test_session.hpp"
#include "app/scene/state/wording.hpp"
#include "app/scene/table/point_rows.hpp"

namespace rooftile::scene {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TableRow row_of(const AppState& state, std::uint64_t id) {
  return table_row(state, id, roofs_of(state));
}

// Three launches of one kernel in the table, 3 the newest.
AppState with_three_launches() {
  AppState state = live_state();
  apply(state, {SelectKernel{"sgemm_register_2d"}});
  land(state, counted_point(state, 1, "sgemm_register_2d", {{"BN", 64}}));
  land(state, counted_point(state, 2, "sgemm_register_2d", {{"BN", 64}, {"TM", 4}}));
  land(state, counted_point(state, 3, "sgemm_register_2d", {{"BN", 128}, {"TM", 4}}));
  return state;
}

// Naming.

TEST(PointTable, ARowShowsItsDistinguishingDialsFirst) {
  const AppState state = with_three_launches();
  EXPECT_THAT(row_of(state, 1).dials, HasSubstr("columns 64"));
  std::set<std::string> seen;
  for (const std::uint64_t id : state.derived.shown.table.ids) {
    EXPECT_THAT(row_of(state, id).dials, StartsWith("block tile, columns"))
        << "rows differ in it, in BM they do not";
    seen.insert(row_of(state, id).dials);
  }
  EXPECT_EQ(seen.size(), 3u) << "no two rows look alike";
}

TEST(PointTable, DialsAreCalledAsOnTheScreenAndNeverByTheirMacros) {
  AppState state = live_state();
  land(state, counted_point(state, 1, "sgemm_tiled", {{"TILE", 32}, {"PAD_A", 1}}));
  land(state, counted_point(state, 2, "sgemm_tiled", {{"TILE", 32}, {"PAD_A", 2}}));
  EXPECT_THAT(row_of(state, 1).dials, HasSubstr("padding of A 1"));
  EXPECT_THAT(row_of(state, 1).dials, Not(HasSubstr("PAD_A")));
  EXPECT_THAT(row_of(state, 1).facts, Contains("tile 32")) << "every dial is told on hover";
}

TEST(PointTable, ASizeThatFollowsAnotherSaysNothingOfItsOwn) {
  const AppState state = live_state();
  const Manifest& manifest = find_kernel(state.known.catalogue, "sgemm_tiled");
  const std::set<std::string> differing{"N", "M", "K"};
  const auto words = [&](const Parameters& given) {
    return distinguishing_text(manifest, complete(manifest, given), differing);
  };
  EXPECT_EQ(words({{"N", 1024}}), "size 1024");
  EXPECT_THAT(words({{"N", 1024}, {"M", 512}}), HasSubstr("rows of C 512"));
}

TEST(PointTable, IsNewestFirstAndOfTheChosenGpu) {
  AppState state = with_three_launches();
  Point elsewhere = counted_point(state, 4, "sgemm_register_2d", {});
  elsewhere.gpu = "another GPU";
  land(state, elsewhere);
  EXPECT_THAT(state.derived.shown.table.ids, testing::ElementsAre(3, 2, 1));
}

TEST(PointTable, ARowHasTheIntensityAtDramAndTellsOfEveryLevelOnHover) {
  AppState state = live_state();
  land(state, counted_point(state, 1, "sgemm_tiled", {{"TILE", 32}}));
  const TableRow row = row_of(state, 1);
  EXPECT_EQ(row.intensity.id, "dram_intensity_flops_per_byte");
  EXPECT_THAT(row.facts, Contains("intensity at DRAM " + row.intensity.text));
  EXPECT_THAT(row.facts, Contains(StartsWith("intensity at shared memory ")));
}

TEST(PointTable, KernelsOfOneShortTitleAreCalledByTheirNames) {
  AppState state = live_state();
  for (const auto& [kernel, words] :
       {std::pair{"sgemm_tiled", "sgemm_tiled"}, {"sgemm_register_2d", "register tile, 2-D"}}) {
    land(state, counted_point(state, 1, kernel, {}));
    EXPECT_EQ(row_of(state, 1).kernel, words);
  }
}

TEST(PointTable, AShareAboveWhatThereIsIsMarkedAndExplained) {
  AppState state = live_state();
  Point point = counted_point(state, 1, "sgemm_tiled", {{"TILE", 32}});
  point.counters->achieved_occupancy = 1.1;
  land(state, point);
  EXPECT_EQ(row_of(state, 1).occupancy.marked(), "110 % !");
  EXPECT_THAT(row_of(state, 1).facts, Contains(HasSubstr("Achieved occupancy 110 %")));
}

TEST(PointTable, ALaunchThatFailedSaysSoWhereOthersSayWhatBoundsThem) {
  AppState state = live_state();
  Point point = counted_point(state, 1, "sgemm_tiled", {});
  point.failure = "It hung.";
  land(state, point);
  EXPECT_EQ(row_of(state, 1).bound_by, "failed");
  EXPECT_EQ(row_of(state, 1).time.text, "\u2013");
}

// Selecting.

TEST(Selection, ARowSelectedByHandKeepsItsPlaceInTheTable) {
  AppState state = with_three_launches();
  apply(state, {SelectPoint{1}});
  EXPECT_EQ(current_point(state)->id, 1u);
  EXPECT_THAT(state.derived.shown.table.ids, testing::ElementsAre(3, 2, 1));
  EXPECT_TRUE(row_of(state, 1).current);
  EXPECT_EQ(dialled(state).at("TM"), 8) << "the dials stand where it was launched";
}

TEST(Selection, OfTwoLaunchesOfOnePlaceTheChosenOneIsShown) {
  AppState state = live_state();
  land(state, counted_point(state, 1, "sgemm_tiled", {}));
  land(state, counted_point(state, 2, "sgemm_tiled", {}));
  apply(state, {SelectKernel{"sgemm_tiled"}});
  EXPECT_EQ(current_point(state)->id, 2u);
  apply(state, {SelectPoint{1}});
  EXPECT_EQ(current_point(state)->id, 1u);
}

TEST(Selection, EndsWhenADialMovesOrTheLaunchIsMeasuredAgain) {
  AppState state = with_three_launches();
  apply(state, {SelectPoint{1}, SetParameter{"PAD_A", 1}});
  EXPECT_FALSE(state.choice.selected);
  apply(state, {SelectPoint{1}, MeasureAgain{}});
  land(state, counted_point(state, 5, "sgemm_register_2d", {{"BN", 64}}));
  EXPECT_EQ(current_point(state)->id, 5u);
}

TEST(Selection, IsUndone) {
  AppState state = with_three_launches();
  const Parameters before = dialled(state);
  apply(state, {SelectPoint{1}, Undo{}});
  EXPECT_EQ(dialled(state), before);
}

TEST(Selection, ARemovedPointHandsItsDialsToTheLineBelow) {
  AppState state = with_three_launches();
  apply(state, {SelectPoint{2}, Remove{2}});
  EXPECT_THAT(state.derived.shown.table.ids, testing::ElementsAre(3, 1));
  EXPECT_EQ(current_point(state)->id, 1u);
  EXPECT_EQ(dialled(state).at("TM"), 8) << "the dials moved on with it";
  apply(state, {Remove{1}});
  EXPECT_EQ(current_point(state)->id, 3u) << "the last line hands them to the one above";
}

TEST(Selection, RemovingAnotherPointLeavesTheDialsAlone) {
  AppState state = with_three_launches();
  apply(state, {SelectPoint{3}, Remove{1}});
  EXPECT_EQ(current_point(state)->id, 3u);
}

// Going where something was recorded.

TEST(NotRecorded, AGreyedValueKnowsTheNearestPlaceThatHasIt) {
  AppState state = recorded_state();
  apply(state, {SetParameter{"N", 2048}, SetParameter{"TILE", 8}});
  const auto place = nearest_recorded(state, "PAD_A", 1);
  ASSERT_TRUE(place);
  EXPECT_EQ(place->values.at("TILE"), 32) << "padding was recorded with tile 32 alone";
  EXPECT_EQ(difference_text(state, *place), "tile 32 \u00b7 padding of A 1");
  apply(state, {GoTo{*place}});
  EXPECT_EQ(current_point(state)->parameters.at("PAD_A"), 1);
}

TEST(NotRecorded, AValueThatNobodyRecordedLeadsNowhere) {
  EXPECT_FALSE(nearest_recorded(recorded_state(), "TILE", 16));
  EXPECT_FALSE(nearest_recorded(live_state(), "TILE", 16)) << "a live GPU measures it";
}

// The source of a launch whose lines nobody counted.

TEST(Source, ShowsTheCodeAndSaysWhichDialsHaveCounts) {
  AppState state = recorded_state();
  apply(state, {SelectKernel{"transpose_tiled"}, SetParameter{"PAD", 1}});
  const SourceView& view = source_view(state);
  EXPECT_FALSE(view.counted);
  ASSERT_FALSE(view.lines.empty());
  EXPECT_EQ(view.lines.front().text, "tile[y][x] = in[i];");
  EXPECT_EQ(view.notice,
            "No line counts are recorded for these dials. These figures are computed from the compiled code. "
            "Recorded: "
            "padding 0.");
  ASSERT_TRUE(view.elsewhere);
  apply(state, {GoTo{Place(*view.elsewhere)}});
  EXPECT_TRUE(source_view(state).counted);
}

TEST(Source, IsTheFileWhereNoLaunchOfTheKernelWasLookedAt) {
  AppState state = recorded_state();
  state.known.sources["sgemm_tiled"] = "// a comment\n__global__ void sgemm_tiled() {}\n";
  apply(state, {SelectKernel{"sgemm_tiled"}});
  ASSERT_EQ(source_view(state).lines.size(), 1u);
  EXPECT_EQ(source_view(state).lines.front().number, 2);
  EXPECT_FALSE(source_view(state).elsewhere);
}

// Steps.

TEST(Dials, ManyStepsAtOnceEndAtTheLastValue) {
  AppState state = live_state();
  apply(state, {SelectKernel{"sgemm_tiled"}, SetParameter{"TILE", 8}, StepParameter{"TILE", 9}});
  EXPECT_EQ(dialled(state).at("TILE"), 32);
  apply(state, {StepParameter{"TILE", -2}});
  EXPECT_EQ(dialled(state).at("TILE"), 8);
}

TEST(Picture, IsTakenOfAFrameWithoutTheMenuThatAskedForIt) {
  AppState state = recorded_state();
  EXPECT_FALSE(requested<ExportPicture>(apply(state, {AskForPicture{}})));
  EXPECT_TRUE(state.view.picture_asked);
  EXPECT_TRUE(requested<ExportPicture>(apply(state, {ExportPicture{}})));
  EXPECT_FALSE(state.view.picture_asked);
}

}  // namespace
}  // namespace rooftile::scene
