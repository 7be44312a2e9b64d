// What an action does to how things look.
#include "app/scene/actions/apply_test.hpp"

namespace rooftile::scene {
namespace {

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

}  // namespace
}  // namespace rooftile::scene
