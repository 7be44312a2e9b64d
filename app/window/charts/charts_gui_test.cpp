// The charts under the pointer of a scripted user.
#include <cmath>

#include "app/scene/picture/picture_axes.hpp"
#include "app/scene/state/test_session.hpp"
#include "app/window/shell/gui_test.hpp"

namespace rooftile::window {
namespace {

class ChartTest : public GuiTest {
 protected:
  // From the plot's place and the axes alone.
  ImVec2 on_screen(ImGuiTestContext& user, double intensity, double performance) {
    const ImRect plot = user.ItemInfo("//Chart/roofline").RectFull;
    const Spot at = scales_of(state.view.axes, {plot.Min.x, plot.Min.y, plot.GetWidth(), plot.GetHeight()})
                        .at(intensity, performance);
    return {at.x, at.y};
  }

  ImVec2 newest_dot(ImGuiTestContext& user, MemoryLevel level) {
    const ChartRow& row = state.derived.shown.chart.rows.back();
    return on_screen(user, *row.dot(level)->intensity, *row.performance);
  }
};

bool has_tooltip(ImGuiTestContext& user) {
  const ImGuiWindow* tooltip = user.GetWindowByRef("//##Tooltip_00");
  return tooltip && tooltip->Active;
}

TEST_F(ChartTest, TheDotStandsWhereItsNumbersSay) {
  ImVec2 at;
  play([&](ImGuiTestContext& user) { at = newest_dot(user, MemoryLevel::dram); });
  const Rgb dram = palette(state.settings.theme).level(MemoryLevel::dram);
  EXPECT_GT(pixels_of(picture(), dram, {at.x - 12, at.y - 12, 24, 24}), 80);
}

TEST_F(ChartTest, PointingAtADotSaysWhatItIs) {
  play([&](ImGuiTestContext& user) {
    const ImVec2 at = newest_dot(user, MemoryLevel::shared);
    user.MouseMoveToPos({at.x + 30, at.y + 60});
    user.Yield(2);
    EXPECT_FALSE(has_tooltip(user));
    user.MouseMoveToPos(at);
    user.Yield(2);
    EXPECT_TRUE(has_tooltip(user));
  });
}

TEST_F(ChartTest, DraggingPansTheChartWithoutZooming) {
  const Axes before = state.view.axes;
  play([&](ImGuiTestContext& user) {
    const ImVec2 at = newest_dot(user, MemoryLevel::dram);
    user.MouseMoveToPos({at.x, at.y + 80});
    user.MouseDown();
    user.MouseMoveToPos({at.x - 60, at.y + 60});
    user.MouseUp();
  });
  const Axes& after = state.view.axes;
  EXPECT_GT(after.x_min, before.x_min);
  EXPECT_LT(after.y_min, before.y_min);
  EXPECT_NEAR(after.x_max / after.x_min, before.x_max / before.x_min, 1e-6 * before.x_max / before.x_min);
}

TEST_F(ChartTest, TheWheelZoomsAndADoubleClickFits) {
  const Axes fitted = state.view.axes;
  play([&](ImGuiTestContext& user) {
    user.MouseMoveToPos(newest_dot(user, MemoryLevel::dram));
    user.MouseWheelY(3);
  });
  EXPECT_LT(state.view.axes.x_max / state.view.axes.x_min, fitted.x_max / fitted.x_min);
  play([&](ImGuiTestContext& user) {
    const ImRect plot = user.ItemInfo("//Chart/roofline").RectFull;
    user.MouseMoveToPos({plot.Max.x - 20, plot.Max.y - 60});
    user.MouseDoubleClick();
  });
  EXPECT_EQ(state.view.axes, fitted);
}

TEST_F(ChartTest, TheButtonsStayUnderThePointerWhenTheChartChanges) {
  play([&](ImGuiTestContext& user) {
    const ImRect before = user.ItemInfo("//Chart/instructions").RectFull;
    user.ItemClick("//Chart/instructions");
    user.Yield(2);
    EXPECT_TRUE(state.view.instructions);
    EXPECT_EQ(user.ItemInfo("//Chart/instructions").RectFull.Min.x, before.Min.x);
  });
}

int changed_pixels(const Picture& before, const Picture& after, const Rect& part) {
  int changed = 0;
  for (int y = static_cast<int>(part.y); y < static_cast<int>(part.bottom()); ++y) {
    for (int x = static_cast<int>(part.x); x < static_cast<int>(part.right()); ++x) {
      const auto pixel = (static_cast<std::size_t>(y) * before.width + x) * 4;
      changed += std::equal(&before.pixels[pixel], &before.pixels[pixel] + 3, &after.pixels[pixel]) ? 0 : 1;
    }
  }
  return changed;
}

TEST_F(ChartTest, ALaunchOfTheCrowdIsDrawnAndSaysWhatItIs) {
  state = live_state();
  scene::apply(state, {SelectKernel{"sgemm_tiled"}});
  for (std::uint64_t id = 1; id <= 20; ++id) {
    land(state, counted_point(state, id, "sgemm_tiled", {{"TILE", 32}, {"N", static_cast<double>(64 * id)}}));
  }
  ASSERT_FALSE(state.derived.shown.chart.crowd.empty());
  const Speck& first = state.derived.shown.chart.crowd.front();
  ImVec2 at;
  play([&](ImGuiTestContext& user) {
    at = on_screen(user, std::exp(first.log_intensity), std::exp(first.log_performance));
    user.MouseMoveToPos(at);
    user.Yield(2);
    EXPECT_TRUE(has_tooltip(user));
    user.MouseMoveToPos({at.x, at.y + 100});
  });
  const Picture with_crowd = picture();
  state.derived.shown.chart.crowd.clear();
  EXPECT_GT(changed_pixels(with_crowd, picture(), {at.x - 4, at.y - 4, 8, 8}), 8);
}

TEST_F(ChartTest, AClickOnADotTurnsTheDialsToItsLaunch) {
  state = live_state();
  scene::apply(state, {SelectKernel{"sgemm_tiled"}});
  for (std::uint64_t id = 1; id <= 20; ++id) {
    land(state, counted_point(state, id, "sgemm_tiled", {{"TILE", 32}, {"N", static_cast<double>(64 * id)}}));
  }
  const Speck first = state.derived.shown.chart.crowd.front();
  play([&](ImGuiTestContext& user) {
    user.MouseMoveToPos(on_screen(user, std::exp(first.log_intensity), std::exp(first.log_performance)));
    user.MouseClick();
    user.Yield(2);
  });
  ASSERT_TRUE(state.choice.selected);
  EXPECT_EQ(state.derived.shown.subject->point.id, *state.choice.selected);
  EXPECT_EQ(*state.choice.selected, first.id);
}

}  // namespace
}  // namespace rooftile::window
