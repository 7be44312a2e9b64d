// The header above the chart and its menu, and what the chart does under the pointer.
#include <cmath>

#include "app/scene/chart/chart.hpp"
#include "app/scene/picture/picture_axes.hpp"
#include "app/scene/state/test_session.hpp"
#include "app/window/shell/gui_test.hpp"

namespace rooftile::window {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* as_nsight_row = "Count bytes as Nsight Compute does (one more pass)";

class ChartPanelTest : public GuiTest {
 protected:
  static std::string chip_of(MemoryLevel level) { return "//Chart/" + std::string(title(level)); }
  static std::string roofs_menu(Origin shown) { return "//Chart/view/roofs: " + std::string(key(shown)); }
  static std::string roofs_row(Origin origin) { return "Roofs: " + std::string(key(origin)); }

  ImVec2 on_screen(double intensity, double performance) {
    const ImRect plot = place_of("//Chart/roofline");
    const Spot at = scales_of(state.view.axes, {plot.Min.x, plot.Min.y, plot.GetWidth(), plot.GetHeight()})
                        .at(intensity, performance);
    return {at.x, at.y};
  }

  // On the DRAM roof, far left of the dots.
  ImVec2 on_dram_roof() {
    const double intensity = state.view.axes.x_min * 4;
    const RoofLine& roof =
        *std::ranges::find(state.derived.shown.chart.roofs, std::optional(MemoryLevel::dram), &RoofLine::level);
    return on_screen(intensity, intensity * roof.height);
  }
};

// The header.

TEST_F(ChartPanelTest, EachLevelThatIsKnownCanBeChosen) {
  for (const MemoryLevel level : {MemoryLevel::shared, MemoryLevel::l1, MemoryLevel::l2, MemoryLevel::dram}) {
    click(chip_of(level));
    EXPECT_EQ(state.view.level, level);
  }
}

TEST_F(ChartPanelTest, ALevelThatNoLaunchUsesIsNotOffered) {
  EXPECT_TRUE(shows(chip_of(MemoryLevel::shared)));
  scene::apply(state, {SelectKernel{"sgemm_naive"}});
  ASSERT_FALSE(state.derived.shown.chart.rows.empty() && !state.derived.shown.chart.ghost);
  EXPECT_FALSE(shows(chip_of(MemoryLevel::shared)));
  EXPECT_TRUE(shows(chip_of(MemoryLevel::dram)));
}

// At this width five levels do not fit beside the menu, so they are its rows.
TEST_F(ChartPanelTest, TheSharedMemoryOfOtherBlocksIsChosenInTheMenuWhereChipsWouldBeCut) {
  state = bundled_recording();
  scene::apply(state, {SelectKernel{"sgemm_split_k"}});
  const std::string menu = "//Chart/view/bytes at DRAM";
  EXPECT_LE(place_of(menu).Max.x, place_of("//Chart/roofline").Max.x);
  choose(menu, "Bytes at distributed shared memory");
  EXPECT_EQ(state.view.level, MemoryLevel::distributed);
}

TEST_F(ChartPanelTest, RoofsOfEachOriginAreChosenAndTheBestIsNoChoice) {
  ASSERT_EQ(state.derived.shown.chart.origins.front(), Origin::measured);
  choose(roofs_menu(Origin::measured), roofs_row(Origin::datasheet));
  EXPECT_EQ(state.view.origin, Origin::datasheet);
  for (const RoofLine& roof : state.derived.shown.chart.roofs) {
    EXPECT_TRUE(!roof.level || roof.origin == Origin::datasheet) << roof.name;
  }
  choose(roofs_menu(Origin::datasheet), roofs_row(Origin::measured));
  EXPECT_FALSE(state.view.origin);
}

TEST_F(ChartPanelTest, OnlyOriginsThatAreKnownAreInTheMenu) {
  const std::string menu = menu_of(roofs_menu(Origin::measured));
  for (const Origin origin : {Origin::measured, Origin::spec, Origin::datasheet}) {
    const bool known = std::ranges::count(state.derived.shown.chart.origins, origin) > 0;
    EXPECT_EQ(menu.find(roofs_row(origin)) != std::string::npos, known) << key(origin);
  }
}

TEST_F(ChartPanelTest, BytesAreCountedAsNsightDoesWhereADeviceCanMeasureThem) {
  EXPECT_THAT(menu_of(roofs_menu(Origin::measured)), Not(HasSubstr(as_nsight_row)));
  state = live_state();
  land(state, counted_point(state, 1, state.choice.kernel, {}));
  choose(roofs_menu(Origin::measured), as_nsight_row);
  EXPECT_EQ(state.view.bytes, ByteDefinition::returned);
  EXPECT_TRUE(requested<MeasurePlace>(requests)->configuration.returned_bytes);
  choose(roofs_menu(Origin::measured), as_nsight_row);
  EXPECT_EQ(state.view.bytes, ByteDefinition::requested);
}

TEST_F(ChartPanelTest, InstructionsHaveAChipWhereTheyWereCounted) {
  EXPECT_NE(hint_of("//Chart/instructions"), "");
  for (const ChartKind expected : {ChartKind::instructions, ChartKind::roofline}) {
    click("//Chart/instructions");
    EXPECT_EQ(state.derived.shown.chart.kind, expected);
  }
  state = live_state();
  EXPECT_FALSE(shows("//Chart/instructions"));
}

TEST_F(ChartPanelTest, TheHeadingNamesTheKindOfChart) {
  const std::tuple<Actions, ChartKind, const char*> steps[] = {
      {{}, ChartKind::roofline, "Roofline\n"},
      {{ToggleInstructions{}}, ChartKind::instructions, "Instruction"},
      {{ToggleInstructions{}, SelectKernel{"transpose_tiled"}}, ChartKind::shares, "Share of"}};
  for (const auto& [actions, kind, heading] : steps) {
    scene::apply(state, actions);
    EXPECT_EQ(state.derived.shown.chart.kind, kind);
    EXPECT_THAT(words(), HasSubstr(heading));
  }
}

TEST_F(ChartPanelTest, InASmallWindowTheHeadingNamesTheKernel) {
  state.settings.scale = 1.5f;
  EXPECT_THAT(words(), HasSubstr(kernel(state).title));
}

// The chart.

TEST_F(ChartPanelTest, PointingAtARoofTellsWhereItsNumberComesFrom) {
  const ImVec2 roof = on_dram_roof();
  const std::string hint = hint_at(roof);
  const RoofLine& dram =
      *std::ranges::find(state.derived.shown.chart.roofs, std::optional(MemoryLevel::dram), &RoofLine::level);
  ASSERT_FALSE(dram.facts.empty());
  for (const std::string& fact : dram.facts) {
    EXPECT_THAT(hint, HasSubstr(fact));
  }
  EXPECT_EQ(hint_at({roof.x, roof.y - 60}), "") << "above it is nothing";
}

TEST_F(ChartPanelTest, EachDotOfTheCurrentLaunchSaysWhichItIs) {
  scene::apply(state, {EndOfDial{"TILE", true}});
  play([](ImGuiTestContext& user) { user.Yield(20); });
  const ChartRow row = state.derived.shown.chart.rows.back();
  std::set<std::string> hints;
  for (const Dot& dot : row.dots) {
    hints.insert(hint_at(on_screen(*dot.intensity, *row.performance)));
  }
  EXPECT_GT(hints.size(), 1u) << "each tells its own level";
  EXPECT_FALSE(hints.contains(""));
}

TEST_F(ChartPanelTest, TheRightButtonOpensNoMenuAndMovesNothing) {
  const View before = state.view;
  click_at({640, 300}, ImGuiMouseButton_Right);
  EXPECT_FALSE(menu_is_open());
  EXPECT_EQ(state.view.axes, before.axes);
  EXPECT_EQ(state.view.lower, before.lower);
}

TEST_F(ChartPanelTest, TheWheelKeepsWhatIsUnderThePointerThere) {
  const Axes before = state.view.axes;
  const ImRect plot = place_of("//Chart/roofline");
  const ImVec2 pointer{plot.Min.x + plot.GetWidth() / 4, plot.Min.y + plot.GetHeight() / 2};
  const auto intensity_there = [&](const Axes& axes) {
    return axes.x_min * std::pow(axes.x_max / axes.x_min, (pointer.x - plot.Min.x) / plot.GetWidth());
  };
  for (const float turn : {2.0f, -5.0f}) {
    play([&](ImGuiTestContext& user) {
      user.MouseMoveToPos(pointer);
      user.MouseWheelY(turn);
      user.Yield(2);
    });
    EXPECT_NE(state.view.axes, before);
    EXPECT_NEAR(std::log(intensity_there(state.view.axes) / intensity_there(before)), 0, 0.05);
  }
}

TEST_F(ChartPanelTest, ZoomingOutEndsSomewhere) {
  play([&](ImGuiTestContext& user) {
    user.MouseMoveToPos({640, 300});
    for (int i = 0; i < 60; ++i) {
      user.MouseWheelY(-20);
    }
  });
  const Axes& axes = state.view.axes;
  EXPECT_GE(std::min(axes.x_min, axes.y_min), 1e-9);
  EXPECT_LE(std::max(axes.x_max, axes.y_max), 1e24);
  EXPECT_LT(axes.x_min, axes.x_max);
  type(ImGuiKey_F);
  EXPECT_GT(axes.x_min, 1e-9);
}

TEST_F(ChartPanelTest, AMoveOfTheDialKeepsTheAxesThatWereChosen) {
  play([&](ImGuiTestContext& user) {
    user.MouseMoveToPos({640, 300});
    user.MouseWheelY(2);
  });
  const Axes chosen = state.view.axes;
  type(ImGuiKey_End);
  type(ImGuiKey_Home);
  EXPECT_EQ(state.view.axes, chosen);
}

TEST_F(ChartPanelTest, ThePointTravelsOnlyWhileAnimationIsOn) {
  scene::apply(state, {EndOfDial{"TILE", false}});
  play([](ImGuiTestContext& user) { user.Yield(20); });
  for (const bool animated : {true, false}) {
    state.settings.animate = animated;
    scene::apply(state, {EndOfDial{"TILE", animated}});
    EXPECT_EQ(state.view.motion.has_value(), animated);
    play([](ImGuiTestContext& user) { user.Yield(20); });
    EXPECT_FALSE(state.view.motion) << "it arrives";
  }
}

TEST_F(ChartPanelTest, TheSharesOfAKernelWithoutFlopsSayTheirLaunch) {
  scene::apply(state, {SelectKernel{"transpose_tiled"}});
  ASSERT_EQ(state.derived.shown.chart.kind, ChartKind::shares);
  const Rgb dram = palette(state.settings.theme).level(MemoryLevel::dram);
  const Rect chart = layout().chart;
  const Picture seen = picture();
  for (float y = chart.y + 60; y < chart.bottom(); y += 2) {
    for (float x = chart.x; x < chart.right(); x += 2) {
      if (pixels_of(seen, dram, {x, y, 8, 8}) == 64) {
        EXPECT_NE(hint_at({x + 4, y + 4}), "");
        return;
      }
    }
  }
  FAIL() << "there is no dot";
}

}  // namespace
}  // namespace rooftile::window
