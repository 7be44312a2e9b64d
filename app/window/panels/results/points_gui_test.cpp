// The table of points: what its lines say, what a press on them does, where it scrolls.
#include <fmt/format.h>

#include "app/scene/chart/chart.hpp"
#include "app/scene/state/test_session.hpp"
#include "app/scene/table/point_rows.hpp"
#include "app/window/shell/gui_test.hpp"

namespace rooftile::window {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class PointsTest : public GuiTest {
 protected:
  PointsTest() { scene::apply(state, {SetParameter{"N", 2048}, StartSweep{}}); }

  static std::string line(std::uint64_t id) { return "//Lower/**/$$" + std::to_string(id) + "/##row"; }

  TableRow row(std::uint64_t id) { return table_row(state, id, roofs_of(state)); }

  // So many lines, of sizes 64, 128, ...; the newest has the highest id.
  void fill(std::uint64_t lines) {
    state = live_state();
    scene::apply(state, {SelectKernel{"sgemm_tiled"}});
    SessionLog log = *state.known.session.log;
    for (std::uint64_t id = 1; id <= lines; ++id) {
      log.points.add(
          counted_point(state, id, "sgemm_tiled", {{"TILE", 32}, {"N", static_cast<double>(64 * id)}}));
    }
    show(state, std::move(log));
  }

  int columns_of_the_table() {
    int columns = 0;
    play([&](ImGuiTestContext& user) {
      columns = ImGui::TableFindByID(user.GetID("//Lower/points"))->ColumnsCount;
    });
    return columns;
  }

  // Whether the whole line is in the part of the table that is seen.
  bool in_view(std::uint64_t id) {
    const Rect panel = layout().points;
    const ImRect place = shows(line(id)) ? place_of(line(id)) : ImRect();
    return place.Min.y > panel.y && place.Max.y < panel.bottom();
  }
};

TEST_F(PointsTest, EachLineSaysWhatIsKnownOfItsLaunch) {
  resize(1600, 1000);
  const std::string seen = words();
  for (const std::uint64_t id : state.derived.shown.table.ids) {
    const TableRow expected = row(id);
    for (const std::string& cell : {expected.time.text, expected.rate.text, expected.share.text,
                                    expected.intensity.text, expected.bound_by}) {
      EXPECT_THAT(seen, HasSubstr(cell)) << expected.dials;
    }
  }
}

TEST_F(PointsTest, ANarrowTableLeavesColumnsOutAndKeepsTimeAndRate) {
  const TableRow shown = row(state.derived.shown.table.ids.front());
  std::vector<int> columns;
  for (const int width : {1300, 1450, 1600}) {
    resize(width, 900);
    const std::string seen = words();
    EXPECT_THAT(seen, HasSubstr(shown.time.text));
    EXPECT_THAT(seen, HasSubstr(shown.rate.text));
    columns.push_back(columns_of_the_table());
  }
  EXPECT_THAT(columns, testing::ElementsAre(4, 5, 7));
}

TEST_F(PointsTest, PointingAtALineTellsEveryDial) {
  const std::uint64_t id = state.derived.shown.table.ids.at(1);
  const std::string hint = hint_of(line(id));
  ASSERT_THAT(row(id).facts, Not(IsEmpty()));
  for (const std::string& fact : row(id).facts) {
    EXPECT_THAT(hint, HasSubstr(fact));
  }
}

TEST_F(PointsTest, AFailedLaunchTellsWhyInsteadOfItsDials) {
  state = live_state();
  Point point = counted_point(state, 1, state.choice.kernel, {});
  point.failure = "The kernel does not compile.";
  land(state, point);
  EXPECT_THAT(hint_of(line(1)), HasSubstr(*point.failure));
  EXPECT_THAT(words(), HasSubstr("failed"));
}

TEST_F(PointsTest, APressTurnsTheDialsToTheLaunchAndUndoTurnsThemBack) {
  const Choice before = state.choice;
  const std::uint64_t other = state.derived.shown.table.ids.at(1);
  click(line(other));
  EXPECT_EQ(current_point(state)->id, other);
  EXPECT_EQ(dialled(state), state.known.session.log->point(other)->parameters);
  type(ImGuiMod_Ctrl | ImGuiKey_Z);
  EXPECT_EQ(state.choice, before);
}

TEST_F(PointsTest, ALineOfAnotherKernelBringsThatKernel) {
  const std::uint64_t pinned = state.derived.shown.table.ids.front();
  scene::apply(state, {Pin{pinned}, SelectKernel{"transpose_tiled"}});
  ASSERT_THAT(state.derived.shown.table.ids, testing::Contains(pinned));
  click(line(pinned));
  EXPECT_EQ(state.choice.kernel, "sgemm_tiled");
}

TEST_F(PointsTest, TheMenuOfALinePinsUnpinsAndRemovesThatLine) {
  const std::uint64_t current = current_point(state)->id, other = state.derived.shown.table.ids.at(1);
  ASSERT_NE(current, other);
  choose(line(other), "Pin", ImGuiMouseButton_Right);
  EXPECT_THAT(state.choice.pinned, testing::ElementsAre(other));
  EXPECT_EQ(current_point(state)->id, current) << "the right button selects nothing";
  choose(line(other), "Unpin", ImGuiMouseButton_Right);
  EXPECT_THAT(state.choice.pinned, IsEmpty());
  choose(line(other), "Remove", ImGuiMouseButton_Right);
  EXPECT_THAT(state.derived.shown.table.ids, Not(testing::Contains(other)));
  EXPECT_EQ(current_point(state)->id, current);
}

TEST_F(PointsTest, PPinsTheSelectedLineAndPressedAgainUnpinsIt) {
  const std::uint64_t other = state.derived.shown.table.ids.at(1);
  click(line(other));
  type(ImGuiKey_P);
  EXPECT_THAT(state.choice.pinned, testing::ElementsAre(other));
  type(ImGuiKey_P);
  EXPECT_THAT(state.choice.pinned, IsEmpty());
}

TEST_F(PointsTest, DeleteEmptiesTheTableLineByLineAndUndoBringsAllBack) {
  const std::vector<std::uint64_t> before = state.derived.shown.table.ids;
  ASSERT_THAT(before, SizeIs(testing::Ge(3u)));
  for (std::size_t left = before.size(); left > 0; --left) {
    EXPECT_THAT(state.derived.shown.table.ids, SizeIs(left));
    type(ImGuiKey_Delete);
  }
  EXPECT_THAT(state.derived.shown.table.ids, IsEmpty());
  EXPECT_FALSE(shows(line(before.front())));
  type(ImGuiKey_Delete);  // of nothing
  for (std::size_t i = 0; i < before.size(); ++i) {
    type(ImGuiMod_Ctrl | ImGuiKey_Z);
  }
  EXPECT_EQ(state.derived.shown.table.ids, before);
}

TEST_F(PointsTest, AnEmptyTableSaysWhatItWaitsFor) {
  const std::string with_lines = words();
  state = live_state();
  const std::string live = words();
  state.known.gpus.clear();
  state.choice.gpu.clear();
  state.choice.trail.clear();
  scene::apply(state, {MeasureAgain{}});
  ASSERT_EQ(mode(state), Mode::predicted);
  const std::string nowhere = words();
  EXPECT_THAT(live, HasSubstr("No launch yet"));
  EXPECT_THAT(nowhere, HasSubstr("Nothing is measured or predicted"));
  EXPECT_THAT(with_lines, testing::Not(testing::AnyOf(HasSubstr("No launch yet"), HasSubstr("Nothing is"))));
}

TEST_F(PointsTest, OnlyTheLinesThatAreSeenAreThere) {
  fill(300);
  EXPECT_TRUE(shows(line(300)));
  EXPECT_FALSE(shows(line(150)));
  EXPECT_FALSE(shows(line(1)));
}

TEST_F(PointsTest, TheWheelScrollsThroughTheLines) {
  fill(300);
  const ImRect first = place_of(line(300));
  play([&](ImGuiTestContext& user) {
    user.MouseMoveToPos(first.GetCenter());
    user.MouseWheelY(-20);
    user.Yield(2);
  });
  EXPECT_FALSE(in_view(300));
  play([&](ImGuiTestContext& user) { user.MouseWheelY(40); });
  EXPECT_TRUE(in_view(300));
}

TEST_F(PointsTest, TheLineOfTheCurrentLaunchIsBroughtIntoView) {
  fill(300);
  for (const std::uint64_t id : {20u, 299u, 150u, 1u}) {
    scene::apply(state, {SelectPoint{id}});
    play([](ImGuiTestContext& user) { user.Yield(4); });
    EXPECT_TRUE(in_view(id)) << id;
  }
}

TEST_F(PointsTest, APinnedLineIsRinged) {
  const std::uint64_t other = state.derived.shown.table.ids.at(1);
  const ImRect place = place_of(line(other));
  const Rect mark{place.Min.x, place.Min.y, 24, place.GetHeight()};
  const Rgb accent = palette(state.settings.theme).accent;
  const int before = pixels_of(picture(), accent, mark);
  scene::apply(state, {Pin{other}});
  EXPECT_GT(pixels_of(picture(), accent, mark), before + 15);
}

TEST_F(PointsTest, APressOnAHeaderSortsAndAThirdOneBringsTheNewestFirst) {
  const std::vector<std::uint64_t> newest_first = state.derived.shown.table.ids;
  std::vector<std::vector<std::uint64_t>> orders;
  for (int press = 0; press < 3; ++press) {
    click("//Lower/**/sort/time");
    orders.push_back(state.derived.shown.table.ids);
  }
  std::ranges::reverse(orders[1]);
  EXPECT_EQ(orders[0], orders[1]);
  EXPECT_EQ(orders[2], newest_first);
  const auto time = [&](std::uint64_t id) { return state.known.session.log->point(id)->timing->median; };
  EXPECT_TRUE(std::ranges::is_sorted(orders[0], {}, time));
}

TEST_F(PointsTest, WhatIsTypedLeavesTheLinesThatHaveIt) {
  play([&](ImGuiTestContext& user) {
    user.ItemClick("//Lower/##filter");
    user.KeyChars("tile 32");
    user.Yield(2);
  });
  EXPECT_EQ(state.view.table.filter, "tile 32");
  for (const std::uint64_t id : state.derived.shown.table.ids) {
    EXPECT_EQ(state.known.session.log->point(id)->parameters.at("TILE"), 32);
  }
  EXPECT_LT(state.derived.shown.table.ids.size(), state.derived.shown.table.visited.size());
  EXPECT_THAT(state.derived.shown.table.ids, Not(IsEmpty()));
}

TEST_F(PointsTest, AColumnIsHiddenAndShownAgain) {
  resize(1600, 1000);
  const int before = columns_of_the_table();
  choose("//Lower/columns", "bound by");
  EXPECT_EQ(columns_of_the_table(), before - 1);
  choose("//Lower/columns", "bound by");
  EXPECT_EQ(columns_of_the_table(), before);
}

TEST_F(PointsTest, ALaunchIsNamedInItsMenu) {
  const std::uint64_t other = state.derived.shown.table.ids.at(1);
  play([&](ImGuiTestContext& user) {
    user.ItemClick(line(other).c_str(), ImGuiMouseButton_Right);
    user.ItemClick("//$FOCUSED/##name");
    user.KeyChars("before");
    user.KeyPress(ImGuiKey_Enter);
    user.Yield(2);
  });
  EXPECT_EQ(state.choice.names[other], "before");
  EXPECT_THAT(state.choice.pinned, testing::Contains(other));
  EXPECT_FALSE(menu_is_open());
}

TEST_F(PointsTest, ControlAndShiftSelectSeveralLines) {
  const std::vector<std::uint64_t> ids = state.derived.shown.table.ids;
  click(line(ids[0]));
  play([&](ImGuiTestContext& user) {
    user.KeyDown(ImGuiMod_Ctrl);
    user.ItemClick(line(ids[2]).c_str());
    user.KeyUp(ImGuiMod_Ctrl);
    user.Yield(2);
  });
  EXPECT_THAT(state.view.selection, testing::UnorderedElementsAre(ids[0], ids[2]));
  play([&](ImGuiTestContext& user) {
    user.KeyDown(ImGuiMod_Shift);
    user.ItemClick(line(ids[2]).c_str());
    user.KeyUp(ImGuiMod_Shift);
    user.Yield(2);
  });
  EXPECT_THAT(state.view.selection, testing::UnorderedElementsAre(ids[0], ids[1], ids[2]));
  choose(line(ids[1]), "Pin the 3 selected", ImGuiMouseButton_Right);
  EXPECT_THAT(state.choice.pinned, SizeIs(3));
  click(line(ids[1]));
  EXPECT_THAT(state.view.selection, IsEmpty());
}

TEST_F(PointsTest, ARectangleOnTheRooflineOrTheMapSelectsItsLaunches) {
  const auto draw_rectangle = [&](const Rect& place) {
    play([&](ImGuiTestContext& user) {
      user.MouseMoveToPos({place.x + 5, place.y + 5});
      user.KeyDown(ImGuiMod_Shift);
      user.MouseDown();
      user.MouseMoveToPos({place.right() - 5, place.bottom() - 5});
      user.MouseUp();
      user.KeyUp(ImGuiMod_Shift);
      user.Yield(2);
    });
  };
  const Axes before = state.view.axes;
  const ImRect plot = place_of("//Chart/roofline");
  draw_rectangle({plot.Min.x, plot.Min.y, plot.GetWidth(), plot.GetHeight()});
  EXPECT_THAT(state.view.selection, SizeIs(state.derived.shown.table.ids.size()));
  EXPECT_EQ(state.view.axes, before) << "the chart does not move";
  type(ImGuiKey_Escape);
  EXPECT_THAT(state.view.selection, IsEmpty());
  click("//Tabs/Map");
  const ImRect cell = place_of("//Lower/$$0/cell");
  draw_rectangle({cell.Min.x, cell.Min.y, cell.GetWidth() * 0.8f, cell.GetHeight() * 0.8f});
  EXPECT_THAT(state.view.selection, testing::ElementsAre(*state.derived.shown.landscape.cells.front().launch));
}

// The divider above the table.

TEST_F(PointsTest, TheDividerHidesEitherPartAtItsEndsAndADoubleClickBringsBothBack) {
  const float at_rest = state.settings.chart_share;
  const auto drag_to = [&](float y) {
    play([&](ImGuiTestContext& user) {
      user.MouseMove("//Divider/divider");
      user.MouseDown();
      user.MouseMoveToPos({640, y});
      user.MouseUp();
      user.Yield(2);
    });
  };
  drag_to(60);
  EXPECT_FALSE(shows("//Chart/roofline"));
  EXPECT_TRUE(shows(line(state.derived.shown.table.ids.front())));
  drag_to(790);
  EXPECT_TRUE(shows("//Chart/roofline"));
  EXPECT_FALSE(shows(line(state.derived.shown.table.ids.front())));
  play([](ImGuiTestContext& user) { user.ItemDoubleClick("//Divider/divider"); });
  EXPECT_EQ(state.settings.chart_share, at_rest);
  drag_to(790);
  click("//Tabs/Points");
  EXPECT_TRUE(shows(line(state.derived.shown.table.ids.front()))) << "a tab brings its panel back";
}

TEST_F(PointsTest, TabsStayWhereTheyAreWhicheverIsChosen) {
  const ImRect before = place_of("//Tabs/Why");
  click("//Tabs/Banks");
  EXPECT_LT(state.settings.chart_share_above(Panel::banks), state.settings.chart_share_above(Panel::points));
  EXPECT_EQ(place_of("//Tabs/Why").Min.y, before.Min.y);
}

TEST_F(PointsTest, EachTabSaysWhatItShows) {
  for (const Panel panel : scene::lower_tabs) {
    const scene::PanelWords& words = words_of(panel);
    if (panel != Panel::launch && panel != Panel::times) {  // of own kernels, and of a program's
      EXPECT_THAT(hint_of(fmt::format("//Tabs/{}", words.title)), HasSubstr(words.shows));
    }
  }
}

TEST_F(PointsTest, APressOnTheDividerAloneMovesNothing) {
  const Settings before = state.settings;
  click("//Divider/divider");
  EXPECT_EQ(state.settings, before);
}

TEST_F(PointsTest, OfTwoSelectedLinesTheTabBesideSaysWhyTheirTimesDiffer) {
  const std::uint64_t current = current_point(state)->id;
  const auto other = std::ranges::find_if(state.derived.shown.table.ids, [&](std::uint64_t id) {
    return id != current && state.known.session.log->point(id)->kernel == state.choice.kernel;
  });
  ASSERT_NE(other, state.derived.shown.table.ids.end());
  const std::uint64_t chosen = *other;
  play([&](ImGuiTestContext& user) {
    user.KeyDown(ImGuiMod_Ctrl);
    user.ItemClick(line(chosen).c_str());
    user.KeyUp(ImGuiMod_Ctrl);
  });
  ASSERT_THAT(state.view.selection, testing::UnorderedElementsAre(current, chosen));
  click("//Tabs/Why");
  const auto& why = state.derived.shown.subject->why;
  ASSERT_TRUE(why);
  EXPECT_EQ(why->bars.front().figure, row(chosen).time.text);
  EXPECT_EQ(why->bars.back().figure, row(current).time.text);
  const std::string seen = words();
  EXPECT_THAT(seen, HasSubstr(why->bars.front().name));
  EXPECT_THAT(seen, HasSubstr(why->sentence));
}

}  // namespace
}  // namespace rooftile::window
