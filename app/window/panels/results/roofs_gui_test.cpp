// The roofs below the chart, and how one gets there.
#include "app/scene/state/test_session.hpp"
#include "app/window/shell/gui_test.hpp"

namespace rooftile::window {
namespace {

// Half way up the DRAM roof, which rises without a dot near it.
ImVec2 on_the_dram_roof(const AppState& state, const Picture& picture) {
  const Rect chart = arrange(static_cast<float>(picture.width), static_cast<float>(picture.height),
                             state.settings.scale, state.settings.chart_share_above(state.view.lower))
                         .chart;
  const Rgb colour = palette(state.settings.theme).level(MemoryLevel::dram);
  const float y = chart.y + chart.height * 0.6f;
  for (float x = chart.x + chart.width * 0.1f; x < chart.right(); ++x) {
    if (pixels_of(picture, colour, {x, y, 1, 1}) > 0) {
      return {x, y};
    }
  }
  return {};
}

TEST_F(GuiTest, AClickOnARoofShowsWhereItsNumberComesFrom) {
  const ImVec2 roof = on_the_dram_roof(state, picture());
  ASSERT_GT(roof.x, 0);
  play([&](ImGuiTestContext& user) {
    user.MouseMoveToPos(roof);
    user.MouseClick();
  });
  EXPECT_EQ(state.view.lower, Panel::roofs);
  EXPECT_EQ(state.view.roof, "DRAM");
}

TEST_F(GuiTest, ARoofIsChosenInTheTable) {
  play([&](ImGuiTestContext& user) {
    user.ItemClick("//Tabs/Roofs");
    user.ItemClick("//Lower/**/##FP32 FMA");
  });
  EXPECT_EQ(state.view.roof, "FP32 FMA");
  EXPECT_FALSE(requested<MeasureRoofs>(requests));
}

TEST_F(GuiTest, ARoofInTheTableSaysWhereItsFiguresComeFrom) {
  click("//Tabs/Roofs");
  EXPECT_THAT(hint_of("//Lower/**/##DRAM"), testing::HasSubstr("datasheet"));
}

TEST_F(GuiTest, ATransposeHasAnInstructionRoofline) {
  scene::apply(state, {SelectKernel{"transpose_tiled"}});
  play([&](ImGuiTestContext& user) { user.ItemClick("//Chart/instructions"); });
  EXPECT_EQ(state.derived.shown.chart.kind, ChartKind::instructions);
  const Picture seen = picture();
  const Rgb dram = palette(state.settings.theme).level(MemoryLevel::dram);
  EXPECT_GT(pixels_of(seen, dram, whole(seen)), 500) << "its roof and its dot";
}

TEST_F(GuiTest, RoofsAreMeasuredAgainWhereADeviceMeasures) {
  state = live_state();
  play([&](ImGuiTestContext& user) {
    user.ItemClick("//Tabs/Roofs");
    user.ItemClick("//Lower/measure again");
  });
  EXPECT_TRUE(requested<MeasureRoofs>(requests));
}

TEST_F(GuiTest, EachRoofHasItsFiguresAndTheFirstOneItsSourcesUntilOneIsChosen) {
  resize(1600, 1000);
  state.settings.chart_share = 0.5f;
  scene::apply(state, {ShowPanel{Panel::roofs}});
  const std::string seen = words();
  for (const RoofRow& row : state.derived.shown.roofs) {
    EXPECT_THAT(seen, testing::HasSubstr(row.measured)) << row.name;
    EXPECT_THAT(seen, testing::HasSubstr(row.datasheet)) << row.name;
  }
  const RoofRow first = state.derived.shown.roofs.front();
  const RoofRow last = state.derived.shown.roofs.back();
  ASSERT_NE(first.sources.front(), last.sources.front());
  EXPECT_THAT(seen, testing::HasSubstr(first.sources.front()));
  click("//Lower/**/##" + last.name);
  const std::string after = words();
  EXPECT_THAT(after, testing::HasSubstr(last.sources.front()));
  EXPECT_THAT(after, testing::Not(testing::HasSubstr(first.sources.front())));
}

TEST_F(GuiTest, ARecordingsRoofsAreNotMeasuredAgain) {
  click("//Tabs/Roofs");
  EXPECT_FALSE(shows("//Lower/measure again"));
  scene::apply(state, {MeasureRoofs{}});
  EXPECT_FALSE(requested<MeasureRoofs>(requests));
}

TEST_F(GuiTest, InASmallWindowAClickOnARoofOpensTheirDrawer) {
  state.settings.scale = 1.5f;
  const ImVec2 roof = on_the_dram_roof(state, picture());
  ASSERT_GT(roof.x, 0);
  click_at(roof);
  ASSERT_EQ(state.view.drawer, Panel::roofs);
  EXPECT_THAT(words(), testing::HasSubstr(state.derived.shown.roofs.front().sources.front()));
}

TEST_F(GuiTest, InASmallWindowTheNamesOfRoofsAreWhole) {
  resize(1280, 720);
  click("//Tabs/Roofs");
  EXPECT_THAT(words(), testing::AllOf(testing::HasSubstr("measured | spec"),
                                      testing::Not(testing::HasSubstr("sustained")),
                                      testing::HasSubstr(state.derived.shown.roofs.front().spec)));
}

}  // namespace
}  // namespace rooftile::window
