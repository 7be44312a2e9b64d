// The list of kernels, the table of points, and what is selected in them.
#include "app/scene/chart/chart.hpp"
#include "app/scene/state/test_session.hpp"
#include "app/window/shell/gui_test.hpp"

namespace rooftile::window {
namespace {

// The middle of a line of the table.
ImVec2 line_of_table(const AppState& state, int index) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const Rect place =
      arrange(size.x, size.y, state.settings.scale, state.settings.chart_share_above(state.view.lower)).points;
  constexpr float first_line = 72, line_height = 28;
  return {place.x + 250, place.y + first_line + line_height * static_cast<float>(index)};
}

TEST_F(GuiTest, AGroupOfKernelsOpensAndItsKernelIsChosen) {
  play([&](ImGuiTestContext& user) {
    user.ItemClick("//Kernel/**/Multiply");  // closes it
    user.ItemClick("//Kernel/**/Transpose");
    user.ItemClick("//Kernel/**/transpose_tiled");
  });
  EXPECT_EQ(state.choice.kernel, "transpose_tiled");
}

TEST_F(GuiTest, AClickedRowIsSelectedWhereItIsAndDeleteRemovesIt) {
  resize(1600, 960);
  scene::apply(state, {SetParameter{"N", 2048}, StartSweep{}});
  const std::vector<std::uint64_t> before = state.derived.shown.table.ids;
  ASSERT_GE(before.size(), 3u);
  play([&](ImGuiTestContext& user) {
    user.MouseMoveToPos(line_of_table(state, 1));
    user.MouseClick();
  });
  EXPECT_EQ(current_point(state)->id, before[1]);
  EXPECT_EQ(state.derived.shown.table.ids, before) << "the rows keep their places";
  play([&](ImGuiTestContext& user) { user.KeyPress(ImGuiKey_P); });
  EXPECT_TRUE(state.choice.pinned.contains(before[1])) << "keys act on what is selected";
  play([&](ImGuiTestContext& user) { user.KeyPress(ImGuiKey_Delete); });
  EXPECT_EQ(state.derived.shown.table.ids.size(), before.size() - 1);
  EXPECT_EQ(current_point(state)->id, before[2]);
}

TEST_F(GuiTest, AGreyedValueLeadsToTheNearestLaunchThatHasIt) {
  scene::apply(state, {SetParameter{"N", 2048}, SetParameter{"TILE", 8}});
  play([&](ImGuiTestContext& user) { user.ItemClick("//Kernel/PAD_A/1"); });
  EXPECT_EQ(current_point(state)->parameters.at("PAD_A"), 1);
  EXPECT_EQ(dialled(state).at("TILE"), 32);
}

TEST_F(GuiTest, ThePictureIsAskedForInAMenuAndTakenWithoutIt) {
  play([&](ImGuiTestContext& user) {
    user.ItemClick("//Top/Export");
    user.ItemClick("//$FOCUSED/Picture (PNG)");
    user.Yield(3);
  });
  EXPECT_TRUE(requested<ExportPicture>(requests));
  EXPECT_FALSE(state.view.picture_asked);
}

TEST_F(GuiTest, TheButtonOfTheSourceGoesWhereItsLinesWereCounted) {
  scene::apply(state, {SelectKernel{"transpose_tiled"}, SetParameter{"PAD", 1}, ShowPanel{Panel::source}});
  play([&](ImGuiTestContext& user) { user.ItemClick("//Lower/Show"); });
  EXPECT_EQ(dialled(state).at("PAD"), 0);
  EXPECT_TRUE(state.derived.shown.source.counted);
}

TEST_F(GuiTest, OfTenThousandPointsOnlyTheVisibleLinesAreDrawn) {
  SessionLog log = *state.known.session.log;
  Point point = counted_point(state, 100, "sgemm_tiled", {});
  state.settings.chart_share = 0;  // the table fills the column
  state.choice.trail.clear();
  for (; point.id < 10100; ++point.id) {
    log.add(point);
    state.choice.trail.push_back(point.id);
  }
  show(state, std::move(log));
  frame();
  EXPECT_LT(ImGui::GetIO().MetricsRenderVertices, 60000);
}

}  // namespace
}  // namespace rooftile::window
