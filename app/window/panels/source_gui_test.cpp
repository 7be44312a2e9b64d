// The source below the chart, line by line.
#include "app/scene/test_session.hpp"
#include "app/window/shell/gui_test.hpp"

namespace rooftile::window {
namespace {

Layout layout_of(const AppState& state, const Picture& picture) {
  return arrange(static_cast<float>(picture.width), static_cast<float>(picture.height), state.settings.scale,
                 state.settings.chart_share);
}

Rgb hottest(const AppState& state) {
  const Palette& token = palette(state.settings.theme);
  return mix(token.panel, token.warn, 0.38);
}

TEST_F(GuiTest, TheSourceOfARecordedLaunchIsWarmWhereItsWarpsWait) {
  scene::apply(state, {SelectKernel{"transpose_tiled"}, SetParameter{"PAD", 0}});
  play([&](ImGuiTestContext& user) { user.ItemClick("//Lower/Source"); });
  EXPECT_EQ(state.view.lower, LowerPanel::source);
  const Picture seen = picture();
  const Rect panel = layout_of(state, seen).points;
  EXPECT_GT(pixels_of(seen, hottest(state), panel), 1500) << "the hottest line";
  play([&](ImGuiTestContext& user) { user.ItemClick("//Lower/Points"); });
  EXPECT_EQ(pixels_of(picture(), hottest(state), panel), 0);
}

TEST_F(GuiTest, TheLinesOfALiveLaunchAreCountedOnRequest) {
  state = live_state();
  const Point point = counted_point(state, 1, state.choice.kernel, {});
  land(state, point);
  play([&](ImGuiTestContext& user) {
    user.ItemClick("//Lower/Source");
    user.ItemClick("//Lower/Count the lines");
  });
  ASSERT_TRUE(orders.profile);
  EXPECT_EQ(orders.profile->kernel, point.kernel);
  land(state, line_profile(point));
  orders.profile.reset();
  play([&](ImGuiTestContext& user) { user.ItemClick("//Lower/count again"); });
  EXPECT_TRUE(orders.profile);
}

TEST_F(GuiTest, TheSourceIsDrawnWhateverIsKnown) {
  play([&](ImGuiTestContext& user) { user.ItemClick("//Lower/Source"); });
  picture();  // a launch nobody looked at
  state.settings.scale = 2;
  picture();
  state = live_state();
  state.view.lower = LowerPanel::source;
  refresh(state);
  picture();  // nothing measured
}

}  // namespace
}  // namespace rooftile::window
