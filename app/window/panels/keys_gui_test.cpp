// The keyboard.
#include "app/scene/test_session.hpp"
#include "app/window/shell/gui_test.hpp"

namespace rooftile::window {
namespace {

TEST_F(GuiTest, AHeldKeySweepsAndExportsOnce) {
  state = live_state();
  play([&](ImGuiTestContext& user) { user.KeyPress(ImGuiKey_S); });
  const std::size_t once = orders.sweep.size();
  ASSERT_GT(once, 0u);
  orders = {};
  play([&](ImGuiTestContext& user) { user.KeyHold(ImGuiKey_S, 1); });
  EXPECT_EQ(orders.sweep.size(), once);
}

TEST_F(GuiTest, AHeldArrowMovesTheDialAllTheWay) {
  play([&](ImGuiTestContext& user) {
    user.KeyPress(ImGuiKey_Home);
    user.KeyHold(ImGuiKey_RightArrow, 1);
  });
  EXPECT_EQ(dialled(state).at("TILE"), 32);
}

TEST_F(GuiTest, FractionsOfTheWheelAddUpToAStep) {
  const auto turn = [&](float by) {
    play([&](ImGuiTestContext& user) {
      user.MouseMove("//Kernel/TILE/8");
      user.MouseWheelY(by);
    });
  };
  scene::apply(state, {SetParameter{"TILE", 4}});
  turn(0.4f);
  EXPECT_EQ(dialled(state).at("TILE"), 4);
  turn(0.4f);
  turn(0.4f);
  EXPECT_EQ(dialled(state).at("TILE"), 8);
}

TEST_F(GuiTest, Control0BringsBackTheSizeTheDisplayAsksFor) {
  state.display_scale = 1.25f;
  play([&](ImGuiTestContext& user) {
    user.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Minus);
    user.KeyPress(ImGuiMod_Ctrl | ImGuiKey_0);
  });
  EXPECT_EQ(state.settings.scale, 1.25f);
}

TEST_F(GuiTest, TheWindowNeverOutgrowsItsPanels) {
  play([&](ImGuiTestContext& user) {
    for (int i = 0; i < 12; ++i) {
      user.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Equal);
    }
  });
  EXPECT_EQ(state.settings.scale, 2) << "a window of 1280 x 800 holds no more";
}

TEST_F(GuiTest, EscapeClosesAMenuAndNothingElse) {
  state.view.keys_open = true;
  play([&](ImGuiTestContext& user) {
    user.KeyPress(ImGuiKey_Escape);
    user.ItemClick("//Top/Export");
    EXPECT_TRUE(ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup));
    user.KeyPress(ImGuiKey_Escape);
    EXPECT_FALSE(ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup));
  });
  EXPECT_FALSE(state.view.keys_open);
}

TEST_F(GuiTest, AKeyTypedIntoAnOpenMenuDoesNothingBehindIt) {
  state = live_state();
  play([&](ImGuiTestContext& user) {
    user.ItemClick("//Top/Export");
    user.KeyPress(ImGuiKey_S);
  });
  EXPECT_TRUE(orders.sweep.empty());
}

}  // namespace
}  // namespace rooftile::window
