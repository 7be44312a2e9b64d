// A small or projected window: the columns are folded into the rail.
#include "app/scene/chart/chart.hpp"
#include "app/scene/launch/source_view.hpp"
#include "app/scene/state/test_session.hpp"
#include "app/window/shell/gui_test.hpp"

namespace rooftile::window {
namespace {

class FoldedTest : public GuiTest {
 protected:
  FoldedTest() { state.settings.scale = 1.6f; }
};

TEST_F(FoldedTest, EachWordOfTheRailOpensItsDrawerAndEscapeClosesIt) {
  constexpr std::pair<const char*, Panel> words[] = {
      {"kernels", Panel::kernels}, {"dials", Panel::dials},   {"shares", Panel::shares},
      {"SM", Panel::occupancy},    {"points", Panel::points}, {"map", Panel::map},
      {"why", Panel::why},         {"source", Panel::source}, {"banks", Panel::banks},
      {"sectors", Panel::sectors}, {"tile", Panel::tile},     {"memory", Panel::memory},
      {"roofs", Panel::roofs},     {"curves", Panel::curves}, {"proof", Panel::proof}};
  for (const auto& [word, drawer] : words) {
    play([&](ImGuiTestContext& user) { user.ItemClick((std::string("//Rail/") + word).c_str()); });
    EXPECT_EQ(state.view.drawer, drawer);
    EXPECT_GT(pixels_of(picture(), palette(state.settings.theme).text, whole(picture())), 100);
    play([&](ImGuiTestContext& user) { user.KeyPress(ImGuiKey_Escape); });
    EXPECT_FALSE(state.view.drawer) << word;
  }
}

TEST_F(FoldedTest, ASecondPressOrTheCrossClosesTheDrawer) {
  for (const char* closer : {"//Rail/points", "//Drawer/close"}) {
    play([&](ImGuiTestContext& user) { user.ItemClick("//Rail/points"); });
    EXPECT_TRUE(state.view.drawer);
    play([&](ImGuiTestContext& user) { user.ItemClick(closer); });
    EXPECT_FALSE(state.view.drawer) << closer;
  }
}

TEST_F(FoldedTest, ADrawerCoversTheChartAndDoesNotSqueezeIt) {
  const Rgb dram = palette(state.settings.theme).level(MemoryLevel::dram);
  const Picture before = picture();
  const Layout layout = arrange(static_cast<float>(before.width), static_cast<float>(before.height),
                                state.settings.scale, state.settings.chart_share_above(state.view.lower));
  const Rect chart_beside_drawer{layout.drawer.right(), layout.chart.y,
                                 layout.chart.right() - layout.drawer.right(), layout.chart.height};
  const int dram_pixels = pixels_of(before, dram, chart_beside_drawer);
  play([&](ImGuiTestContext& user) { user.ItemClick("//Rail/dials"); });
  EXPECT_EQ(pixels_of(picture(), dram, chart_beside_drawer), dram_pixels) << "what is not covered stays";
  const Rect chart_under_drawer{layout.drawer.x, layout.chart.y, layout.drawer.width, layout.chart.height};
  EXPECT_EQ(pixels_of(picture(), dram, chart_under_drawer), 0);
}

TEST_F(FoldedTest, TheDialBelowTheChartMovesThePoint) {
  play([&](ImGuiTestContext& user) { user.ItemClick("//Dial/TILE/4"); });
  EXPECT_EQ(dialled(state).at("TILE"), 4);
  play([&](ImGuiTestContext& user) { user.KeyPress(ImGuiKey_DownArrow); });
  frame();
  play([&](ImGuiTestContext& user) {
    EXPECT_TRUE(user.ItemExists("//Dial/PAD_A/0")) << "the dial with the keyboard";
  });
}

TEST_F(FoldedTest, TheOtherDialsAndTheSharesAreOnePressAway) {
  play([&](ImGuiTestContext& user) { user.ItemClick("//Dial/others"); });
  EXPECT_EQ(state.view.drawer, Panel::dials);
  play([&](ImGuiTestContext& user) { user.ItemClick("//Verdict/shares"); });
  EXPECT_EQ(state.view.drawer, Panel::shares);
}

TEST_F(FoldedTest, AMessageStandsOverTheChart) {
  state = live_state();
  state.settings.scale = 1.6f;
  state.known.session.progress = Progress{"sweep", 3, 12};
  play([&](ImGuiTestContext& user) { user.ItemClick("//Status/cancel"); });
  EXPECT_TRUE(requested<CancelSweep>(requests));
}

TEST_F(FoldedTest, TheMenuHoldsWhatTheTopBarHasNoRoomFor) {
  const Theme before = state.settings.theme;
  play([&](ImGuiTestContext& user) {
    user.ItemClick("//Top/more");
    user.ItemClick("//$FOCUSED/Session (JSON lines and CSV)");
    user.ItemClick("//Top/more");
    user.ItemClick("//$FOCUSED/Light theme");
  });
  EXPECT_TRUE(requested<ExportSession>(requests));
  EXPECT_NE(state.settings.theme, before);
}

TEST_F(FoldedTest, TheLevelIsChosenInTheMenuOfTheChart) {
  play([&](ImGuiTestContext& user) {
    user.ItemClick("//Chart/view/bytes at DRAM");
    user.ItemClick("//$FOCUSED/Bytes at L2");
  });
  EXPECT_EQ(state.view.level, MemoryLevel::l2);
}

TEST_F(FoldedTest, EachDrawerHoldsWhatItsColumnWouldSay) {
  scene::apply(state, {SelectKernel{"transpose_tiled"}, SetParameter{"PAD", 0}});
  const Subject subject = *state.derived.shown.subject;
  const std::pair<Panel, std::string> rows[] = {{Panel::dials, state.derived.shown.dials.at(1).label},
                                                {Panel::shares, subject.advice->sentence},
                                                {Panel::occupancy, subject.occupancy->sentence},
                                                {Panel::proof, subject.checks.front().sentence},
                                                {Panel::source, source_view(state).summary},
                                                {Panel::roofs, roof_table(roofs_of(state)).front().measured},
                                                {Panel::map, "places measured"},
                                                {Panel::curves, "Occupancy " + state.choice.gpu}};
  for (const auto& [drawer, expected] : rows) {
    state.view.drawer.reset();
    EXPECT_THAT(words(), testing::Not(testing::HasSubstr(expected)));
    scene::apply(state, {ShowPanel{drawer}});
    EXPECT_THAT(words(), testing::HasSubstr(expected));
  }
}

TEST_F(FoldedTest, ADrawerSaysWhyTheTimeMoved) {
  scene::apply(state, {SelectKernel{"transpose_tiled"}, SetParameter{"PAD", 0}, SetParameter{"PAD", 1}});
  click("//Rail/why");
  ASSERT_TRUE(state.derived.shown.subject->why);
  EXPECT_THAT(words(), testing::HasSubstr(state.derived.shown.subject->why->sentence));
}

TEST_F(FoldedTest, AKernelIsChosenInItsDrawer) {
  play([&](ImGuiTestContext& user) {
    user.ItemClick("//Rail/kernels");
    user.ItemClick("//Drawer/**/sgemm_naive");
  });
  EXPECT_EQ(state.choice.kernel, "sgemm_naive");
}

TEST_F(FoldedTest, AnotherWordOfTheRailChangesTheDrawerAndTheOtherDialsCloseIt) {
  for (const auto& [item, expected] : {std::pair{"//Rail/points", std::optional(Panel::points)},
                                       {"//Rail/dials", std::optional(Panel::dials)},
                                       {"//Rail/dials", std::optional<Panel>()}}) {
    click(item);
    EXPECT_EQ(state.view.drawer, expected) << item;
  }
}

TEST_F(FoldedTest, TheMenuOpensTheListOfKeys) {
  choose("//Top/more", "Keys");
  EXPECT_TRUE(state.view.keys_open);
}

TEST_F(FoldedTest, TheCardBelowTheChartSaysWhatBounds) {
  EXPECT_THAT(words(), testing::HasSubstr(state.derived.shown.subject->verdict.title));
  state.derived.shown.subject.reset();
  EXPECT_THAT(words(), testing::HasSubstr("legal"));
}

TEST_F(FoldedTest, AWiderWindowUnfoldsAndTheDrawerIsGone) {
  click("//Rail/points");
  state.settings.scale = 1;
  play([](ImGuiTestContext& user) { user.Yield(2); });
  EXPECT_FALSE(shows("//Drawer/close"));
  EXPECT_TRUE(shows("//Kernel/TILE/32"));
}

}  // namespace
}  // namespace rooftile::window
