#include "app/scene/table/table_order.hpp"

#include <gmock/gmock.h>

#include "app/scene/actions/actions.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/state/test_session.hpp"
#include "app/scene/table/point_rows.hpp"

namespace rooftile::scene {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// sgemm_tiled with tiles 4, 8 and 32 that take 3, 1 and 2 ms, in this order; then one that failed.
class TableTest : public testing::Test {
 protected:
  TableTest() {
    apply(state, {SelectKernel{"sgemm_tiled"}});
    const std::pair<double, double> launches[] = {{4, 3}, {8, 1}, {32, 2}};
    std::uint64_t id = 0;
    for (const auto& [tile, milliseconds] : launches) {
      Point point = counted_point(state, ++id, "sgemm_tiled", {{"TILE", tile}});
      point.timing->median = Seconds{milliseconds * 1e-3};
      land(state, point);
    }
    Point failed = counted_point(state, ++id, "sgemm_tiled", {{"TILE", 16}});
    failed.failure = "It hung.";
    land(state, failed);
  }

  std::vector<std::uint64_t> with(const TableChoice& choice) {
    apply(state, {SetTable{choice}});
    return state.derived.shown.table.ids;
  }

  AppState state = live_state();
};

TEST_F(TableTest, IsNewestFirstUntilAColumnIsChosen) {
  EXPECT_THAT(with({}), ElementsAre(4, 3, 2, 1));
  EXPECT_THAT(with({.sorted_by = TableColumn::time}), ElementsAre(2, 3, 1, 4))
      << "what is not known comes last";
  EXPECT_THAT(with({.sorted_by = TableColumn::time, .descending = true}), ElementsAre(1, 3, 2, 4));
  EXPECT_THAT(with({.sorted_by = TableColumn::rate}), ElementsAre(1, 3, 2, 4));
  EXPECT_THAT(with({}), ElementsAre(4, 3, 2, 1));
}

TEST_F(TableTest, EveryColumnKeepsEveryLine) {
  for (const TableColumn column :
       {TableColumn::launch, TableColumn::time, TableColumn::beside, TableColumn::rate, TableColumn::share,
        TableColumn::intensity, TableColumn::dram, TableColumn::occupancy, TableColumn::bound_by}) {
    EXPECT_THAT(with({.sorted_by = column}), SizeIs(4)) << title(column);
  }
}

TEST_F(TableTest, TheFilterWantsEachOfItsWordsInAnyCase) {
  const std::pair<const char*, std::vector<std::uint64_t>> rows[] = {
      {"TILE=8", {2}}, {"tile 32", {3}},     {"tile 3", {}},
      {"tile 2", {}},  {"cold tile 8", {2}}, {"sgemm cold", {4, 3, 2, 1}},
      {"failed", {4}}, {"warm", {}}};
  for (const auto& [words, expected] : rows) {
    EXPECT_EQ(with({.filter = words}), expected) << words;
    EXPECT_EQ(state.derived.shown.table.visited.size(), 4u);
  }
}

TEST_F(TableTest, ANamedLaunchIsPinnedAndFoundByItsName) {
  apply(state, {NameLaunch{2, "Before"}});
  EXPECT_EQ(table_row(state, 2, roofs_of(state)).name, "Before");
  EXPECT_THAT(state.choice.pinned, ElementsAre(2));
  EXPECT_THAT(with({.filter = "before"}), ElementsAre(2));
  const auto row = std::ranges::find(state.derived.shown.chart.rows, 2u, &ChartRow::id);
  ASSERT_NE(row, state.derived.shown.chart.rows.end());
  EXPECT_EQ(row->label, "Before");
  apply(state, {NameLaunch{2, ""}});
  EXPECT_EQ(table_row(state, 2, roofs_of(state)).name, "");
}

TEST_F(TableTest, ANewLaunchJoinsAtItsPlace) {
  with({.sorted_by = TableColumn::time});
  Point point = counted_point(state, 5, "sgemm_tiled", {{"TILE", 8}, {"PAD_A", 1}});
  point.timing->median = Seconds{0.5e-3};
  land(state, point);
  EXPECT_THAT(state.derived.shown.table.ids, ElementsAre(5, 2, 3, 1, 4));
}

TEST_F(TableTest, WhatIsSelectedIsPinnedOrRemovedTogetherAndUndoBringsItBack) {
  apply(state, {SelectLaunches{{1, 3}}, PinSelected{}});
  EXPECT_THAT(state.choice.pinned, ElementsAre(1, 3));
  apply(state, {RemoveSelected{}});
  EXPECT_THAT(state.derived.shown.table.ids, ElementsAre(4, 2));
  EXPECT_THAT(state.view.selection, IsEmpty());
  apply(state, {Undo{}});
  EXPECT_THAT(state.derived.shown.table.ids, ElementsAre(4, 3, 2, 1));
}

TEST_F(TableTest, WhatIsKeptOfItIsWhatWouldBeWorkedOutAnew) {
  const auto log = std::make_shared<SessionLog>(*state.known.session.log);
  state.known.session.log = log;
  refresh(state);
  const auto check = [&](const char* when) {
    TableKeys nothing;
    const PointTable anew = point_table(state, nothing);
    EXPECT_EQ(state.derived.shown.table.ids, anew.ids) << when;
    EXPECT_EQ(state.derived.shown.table.differing, anew.differing) << when;
    EXPECT_EQ(state.derived.shown.table.visited, anew.visited) << when;
  };
  check("at first");
  with({.sorted_by = TableColumn::time, .filter = "tile"});
  check("sorted and filtered");
  log->add(counted_point(state, 10, "sgemm_tiled", {{"TILE", 16}, {"PAD_A", 3}}));
  follow_log(state);
  refresh(state);
  check("one more launch");
  EXPECT_TRUE(state.derived.shown.table.differing.at("sgemm_tiled").contains("PAD_A"));
  apply(state, {Remove{10}});
  check("one launch less");
  EXPECT_FALSE(state.derived.shown.table.differing.at("sgemm_tiled").contains("PAD_A"));
  apply(state, {NameLaunch{1, "Tilera"}});
  check("a name");
}

}  // namespace
}  // namespace rooftile::scene
