// The source below the chart, line by line.
#include <imgui_internal.h>

#include "app/scene/state/test_session.hpp"
#include "app/window/shell/gui_test.hpp"

namespace rooftile::window {
namespace {

Rgb hottest(const AppState& state) {
  const Palette& token = palette(state.settings.theme);
  return mix(token.panel, token.warn, 0.38);
}

TEST_F(GuiTest, TheSourceOfARecordedLaunchIsWarmWhereItsWarpsWait) {
  scene::apply(state, {SelectKernel{"transpose_tiled"}, SetParameter{"PAD", 0}});
  play([&](ImGuiTestContext& user) { user.ItemClick("//Tabs/Source"); });
  EXPECT_EQ(state.view.lower, Panel::source);
  const Picture seen = picture();
  const Rect panel = layout_of(state, seen).points;
  EXPECT_GT(pixels_of(seen, hottest(state), panel), 1500) << "the hottest line";
  play([&](ImGuiTestContext& user) { user.ItemClick("//Tabs/Points"); });
  EXPECT_EQ(pixels_of(picture(), hottest(state), panel), 0);
}

TEST_F(GuiTest, TheLinesOfALiveLaunchAreCountedOnRequest) {
  state = live_state();
  const Point point = counted_point(state, 1, state.choice.kernel, {});
  land(state, point);
  play([&](ImGuiTestContext& user) {
    user.ItemClick("//Tabs/Source");
    user.ItemClick("//Lower/Count the lines");
  });
  ASSERT_TRUE(requested<CountLinesOf>(requests));
  EXPECT_EQ(requested<CountLinesOf>(requests)->configuration.kernel, point.kernel);
  land(state, line_profile(point));
  requests.clear();
  play([&](ImGuiTestContext& user) { user.ItemClick("//Lower/count again"); });
  EXPECT_TRUE(requested<CountLinesOf>(requests));
}

TEST_F(GuiTest, TheInstructionsOfTheMachineStandBelowTheirLines) {
  state = live_state();
  const Point point = counted_point(state, 1, state.choice.kernel, {});
  SourceProfile profile = line_profile(point);
  land(state, point);
  land(state, profile);
  play([&](ImGuiTestContext& user) { user.ItemClick("//Tabs/Source"); });
  EXPECT_FALSE(shows("//Lower/SASS")) << "nothing tells them";
  profile.instructions = {{0x1f0, "", "LDG.E R2, [R2.64]", profile.lines.front()}};
  land(state, profile);
  play([&](ImGuiTestContext& user) { user.ItemClick("//Lower/SASS"); });
  EXPECT_TRUE(state.view.machine_code);
  EXPECT_THAT(words(), testing::AllOf(testing::HasSubstr("01f0"), testing::HasSubstr("LDG.E R2, [R2.64]")));
}

TEST_F(GuiTest, TheSourceIsDrawnWhateverIsKnown) {
  play([&](ImGuiTestContext& user) { user.ItemClick("//Tabs/Source"); });
  picture();  // a launch nobody looked at
  state.settings.scale = 2;
  picture();
  state = live_state();
  state.view.lower = Panel::source;
  refresh(state);
  picture();  // nothing measured
}

// Two hundred lines; one of the last is the hottest.
void show_long_source(AppState& state, int hottest_line) {
  state = live_state();
  const Point point = counted_point(state, 1, state.choice.kernel, {});
  land(state, point);
  SourceProfile profile = line_profile(point);
  profile.source.clear();
  for (int line = 1; line <= 200; ++line) {
    profile.source += "x" + std::to_string(line) + " = " + std::to_string(line) + ";\n";
  }
  profile.lines[0].line = 2;
  profile.lines[1].line = hottest_line;
  land(state, profile);
}

TEST_F(GuiTest, TheSourceOpensOnItsHottestLine) {
  for (const int hottest_line : {10, 180}) {
    state.view.lower = Panel::points;
    frame();
    show_long_source(state, hottest_line);
    click("//Tabs/Source");
    const std::string seen = words();
    EXPECT_THAT(seen, testing::HasSubstr("x" + std::to_string(hottest_line) + " = "));
    EXPECT_THAT(seen, testing::Not(testing::HasSubstr("x" + std::to_string(190 - hottest_line) + " = ")));
  }
}

TEST_F(GuiTest, EachLineThatRanHasItsFigures) {
  resize(1600, 960);
  scene::apply(state, {SelectKernel{"transpose_tiled"}, SetParameter{"PAD", 0}, ShowPanel{Panel::source}});
  ASSERT_TRUE(state.derived.shown.source.counted);
  const std::string seen = words();
  EXPECT_THAT(seen, testing::HasSubstr(state.derived.shown.source.summary));
  for (const SourceLine& line : state.derived.shown.source.lines) {
    EXPECT_THAT(seen, testing::HasSubstr(line.text));
    EXPECT_THAT(seen, testing::HasSubstr(line.samples));
    EXPECT_THAT(seen, testing::HasSubstr(line.waits_for));
  }
}

const ImGuiTable* table_of_lines() {
  auto& tables = ImGui::GetCurrentContext()->Tables;
  for (int i = 0; i < tables.GetMapSize(); ++i) {
    const ImGuiTable* table = tables.TryGetMapData(i);
    if (table && table->ColumnsCount > 1 && std::string_view(ImGui::TableGetColumnName(table, 1)) == "source") {
      return table;
    }
  }
  return nullptr;
}

TEST_F(GuiTest, ALongLineOfSourceHasHalfOfThePanel) {
  state = live_state();
  const Point point = counted_point(state, 1, state.choice.kernel, {});
  land(state, point);
  SourceProfile profile = line_profile(point);
  profile.source += std::string(300, 'x') + "\n";
  land(state, profile);
  scene::apply(state, {ShowPanel{Panel::source}});
  for (int i = 0; i < 3; ++i) {
    frame();
  }
  const ImGuiTable* table = table_of_lines();
  ASSERT_NE(table, nullptr);
  EXPECT_GT(table->ColumnsCount, 2) << "figures stand beside it";
  EXPECT_GT(table->Columns[1].WidthGiven, 0.45f * table->WorkRect.GetWidth());
}

TEST_F(GuiTest, ARecordingOffersNoCountingOfLines) {
  scene::apply(state, {SelectKernel{"transpose_tiled"}, ShowPanel{Panel::source}});
  for (const double padding : {0.0, 1.0}) {
    scene::apply(state, {SetParameter{"PAD", padding}});
    EXPECT_EQ(state.derived.shown.source.counted, padding == 0);
    EXPECT_FALSE(shows("//Lower/Count the lines"));
    EXPECT_FALSE(shows("//Lower/count again"));
  }
}

TEST_F(GuiTest, CountingLinesSaysWhatItCosts) {
  state = live_state();
  land(state, counted_point(state, 1, state.choice.kernel, {}));
  scene::apply(state, {ShowPanel{Panel::source}});
  ASSERT_NE(state.derived.shown.source.cost, "");
  EXPECT_THAT(hint_of("//Lower/Count the lines"), testing::HasSubstr(state.derived.shown.source.cost));
  EXPECT_FALSE(requested<CountLinesOf>(requests)) << "pointing at it counts nothing";
}

TEST_F(GuiTest, AnErrorOfTheCompilerIsInSightAtItsLine) {
  resize(1600, 960);
  show_long_source(state, 10);
  state.known.sources[state.choice.kernel] = state.known.session.log->profiles.front().source;
  click("//Tabs/Source");
  Point broken = counted_point(state, 2, state.choice.kernel, {});
  broken.failure = state.choice.kernel + ".cu(180): error: expected a \";\"\n";
  land(state, broken);
  frame();
  EXPECT_THAT(words(), testing::AllOf(testing::HasSubstr("x180 = "), testing::HasSubstr("expected a \";\""),
                                      testing::HasSubstr("1 error, the first in line 180")));
}

}  // namespace
}  // namespace rooftile::window
