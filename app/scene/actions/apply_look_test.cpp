// Actions on how things look.
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

TEST(Look, ThePictureKeepsADividerOfItsOwn) {
  AppState state = recorded_state();
  const float above_table = state.settings.chart_share;
  apply(state, {ShowPanel{Panel::banks}, SetChartShare{0.3f}});
  EXPECT_EQ(state.settings.chart_share_above(Panel::tile), 0.3f);
  EXPECT_EQ(state.settings.chart_share_above(Panel::points), above_table);
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

TEST(Look, APanelOpensWhereTheWindowHasItsPlace) {
  AppState state = recorded_state();
  apply(state, {ShowPanel{Panel::map}, ShowPanel{Panel::proof}});
  EXPECT_EQ(state.view.lower, Panel::map);
  EXPECT_EQ(state.view.side, Panel::proof);
  apply(state, {SelectRoof{"L2"}});
  EXPECT_EQ(state.view.lower, Panel::roofs);
  EXPECT_FALSE(state.view.drawer) << "a window with room for columns has none";
  apply(state, {FoldWindow{true}});
  EXPECT_FALSE(state.view.drawer) << "a window that was made smaller opens nothing by itself";
  apply(state, {ShowPanel{Panel::dials}, SelectRoof{"DRAM"}});
  EXPECT_EQ(state.view.drawer, Panel::roofs) << "one is open at a time";
}

TEST(Look, AWindowMadeLargerShowsTheDrawersPanelInItsTab) {
  AppState state = recorded_state();
  apply(state, {FoldWindow{true}, ShowPanel{Panel::source}, FoldWindow{false}});
  EXPECT_FALSE(state.view.drawer);
  EXPECT_EQ(state.view.lower, Panel::source);
}

TEST(Look, EscapeClosesWhatIsOpenAndNoTab) {
  AppState state = recorded_state();
  apply(state,
        {ShowPanel{Panel::roofs}, FoldWindow{true}, ShowPanel{Panel::points}, ToggleKeys{}, CloseWhatIsOpen{}});
  EXPECT_FALSE(state.view.drawer);
  EXPECT_FALSE(state.view.keys_open);
  EXPECT_EQ(state.view.lower, Panel::roofs);
}

TEST(Look, WorksOutNothingThatDoesNotDependOnIt) {
  AppState state = recorded_state();
  state.derived.shown = {};
  apply(state, {SetAxes{}, PointAt{1}, FocusDial{"TILE"}, ToggleTheme{}, SetChartShare{0.5f}, ToggleKeys{}});
  EXPECT_TRUE(state.derived.shown.dials.empty() && state.derived.shown.chart.rows.empty() &&
              state.derived.shown.kernels.empty() && !state.derived.shown.subject);
  apply(state, {ToggleGroup{state.known.catalogue.front().group}});
  EXPECT_FALSE(state.derived.shown.kernels.empty());
  EXPECT_TRUE(state.derived.shown.chart.rows.empty());
  apply(state, {ToggleOccupancyOnDots{}});
  EXPECT_FALSE(state.derived.shown.chart.rows.empty());
  EXPECT_FALSE(state.derived.shown.subject);
}

TEST(Look, TheFormIsReadOnlyWhileItIsLookedAt) {
  AppState state = own_kernel_state();
  apply(state, {SetParameter{state.derived.shown.dials.at(0).name, 16}, SelectRoof{"L2"}});
  EXPECT_FALSE(state.derived.shown.launch_form);
  apply(state, {ShowPanel{Panel::launch}});
  EXPECT_TRUE(state.derived.shown.launch_form);
  apply(state, {ShowPanel{Panel::points}});
  EXPECT_FALSE(state.derived.shown.launch_form);
}

TEST(ApplyLook, AFrozenPictureStaysWhileDialsMove) {
  AppState state = recorded_state();
  apply(state, {SetParameter{"TILE", 8}, ToggleFreeze{}, SetParameter{"TILE", 32}});
  EXPECT_EQ(labels(state).back(), "tile 32") << "only a presentation freezes";
  apply(state, {TogglePresentation{1}, ToggleFreeze{}, SetParameter{"TILE", 8}});
  EXPECT_TRUE(is_frozen(state));
  EXPECT_EQ(labels(state).back(), "tile 32");
  EXPECT_EQ(state.derived.shown.subject->point.parameters.at("TILE"), 32);
  EXPECT_EQ(standing_at(state, "TILE"), 8) << "the dial itself moves";
  apply(state, {ToggleFreeze{}});
  EXPECT_EQ(labels(state).back(), "tile 8");
}

TEST(ApplyLook, AnotherKernelThawsThePicture) {
  AppState state = recorded_state();
  apply(state, {TogglePresentation{1}, ToggleFreeze{}, SelectKernel{"transpose_tiled"}});
  EXPECT_EQ(state.derived.shown.subject->point.kernel, "transpose_tiled");
  apply(state, {SelectKernel{"sgemm_tiled"}});
  EXPECT_FALSE(is_frozen(state));
  EXPECT_EQ(state.derived.shown.subject->point.kernel, "sgemm_tiled");
}

}  // namespace
}  // namespace rooftile::scene
