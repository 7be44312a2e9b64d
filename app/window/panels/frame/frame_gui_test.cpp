// Every panel in windows of every size: nothing sticks out, nothing is cut.
#include <imgui_internal.h>

#include "app/scene/state/settings.hpp"
#include "app/scene/state/test_session.hpp"
#include "app/window/shell/gui_test.hpp"

namespace rooftile::window {
namespace {

struct WindowSize {
  int width, height;
  float scale;
};

std::ostream& operator<<(std::ostream& out, const WindowSize& size) {
  return out << size.width << " x " << size.height << " at " << size.scale;
}

class EveryWindow : public GuiTest, public testing::WithParamInterface<WindowSize> {
 protected:
  EveryWindow() {
    state.settings.scale = GetParam().scale;
    resize(GetParam().width, GetParam().height);
  }

  void expect_nothing_cut(const std::string& what) {
    play([](ImGuiTestContext& user) { user.Yield(3); });
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
      if (!window->Active || window->Hidden || window->IsFallbackWindow || window->ParentWindow) {
        continue;
      }
      const ImRect place = window->Rect();
      EXPECT_GE(std::min(place.Min.x, place.Min.y), 0) << window->Name << ", " << what;
      EXPECT_LE(place.Max.x, display.x + 0.5f) << window->Name << ", " << what;
      EXPECT_LE(place.Max.y, display.y + 0.5f) << window->Name << ", " << what;
      const bool scrolls = !(window->Flags & ImGuiWindowFlags_NoScrollbar);
      EXPECT_TRUE(!scrolls || window->ScrollMax.x <= window->WindowPadding.x + window->ScrollbarSizes.x)
          << window->Name << " is too narrow, " << what;
    }
  }

  static void expect_no_scrolling(std::initializer_list<const char*> panels) {
    for (const char* name : panels) {
      const ImGuiWindow* panel = ImGui::FindWindowByName(name);
      EXPECT_TRUE(!panel || panel->ScrollMax.y == 0) << name << " is too low";
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Frame, EveryWindow,
                         testing::Values(WindowSize{1280, 800, 1}, WindowSize{1280, 720, 1.5f},
                                         WindowSize{800, 600, 1}, WindowSize{800, 600, 1.25f},
                                         WindowSize{1600, 1000, 1}, WindowSize{1600, 1000, 2},
                                         WindowSize{640, 400, 1}));

TEST_P(EveryWindow, HoldsEveryKernel) {
  for (const char* name : {"sgemm_tiled", "transpose_tiled", "sgemm_register_2d", "copy"}) {
    scene::apply(state, {SelectKernel{name}});
    expect_nothing_cut(name);
    expect_no_scrolling({"Chart", "Rail", "Dial", "Verdict"});
  }
}

TEST_P(EveryWindow, HoldsEveryPanel) {
  scene::apply(state, {SelectKernel{"transpose_tiled"}});
  for (const PanelWords& each : panels) {
    scene::apply(state, {ShowPanel{each.panel}});
    expect_nothing_cut(each.title);
  }
}

TEST_P(EveryWindow, HoldsTheFormOfALaunch) {
  state = own_kernel_state();
  state.settings.scale = GetParam().scale;
  scene::apply(state, {ShowPanel{Panel::launch}, TypeInForm{{{"buffer", "out", "count"}}, "many"}});
  state.view.question =
      KernelQuestion{"a_source_with_a_long_name.cu", {"first", "second"}, "first", "Not there."};
  expect_nothing_cut("the form of a launch, and the question which kernel is meant");
}

TEST_P(EveryWindow, HoldsTheListOfKeysAndALongMessage) {
  state.view.keys_open = true;
  tell(state, Message::Kind::wrong,
       "The worker was ended by signal 11 (Segmentation fault) while it measured a launch of this kernel.");
  expect_nothing_cut("keys and a message");
}

TEST_F(GuiTest, PicturesAreSeenWholeOnAProjector) {
  resize(1280, 720);
  scene::apply(state, {SelectKernel{"transpose_tiled"}, SetParameter{"TILE", 32}, SetParameter{"PAD", 0}});
  for (const Panel panel : {Panel::map, Panel::banks, Panel::sectors, Panel::tile, Panel::memory}) {
    scene::apply(state, {ShowPanel{panel}});
    play([](ImGuiTestContext& user) { user.Yield(3); });
    const ImGuiWindow* lower = ImGui::FindWindowByName("Lower");
    ASSERT_TRUE(lower && lower->Active);
    EXPECT_EQ(lower->ScrollMax.y, 0) << words_of(panel).title;
  }
}

TEST_F(GuiTest, AWindowThatNobodyTouchesNeedsNoDrawing) {
  play([&](ImGuiTestContext& user) {
    user.KeyDown(ImGuiKey_Q);
    user.Yield(2);
    EXPECT_TRUE(needs_drawing()) << "a key is held";
    user.KeyUp(ImGuiKey_Q);
    user.Yield(2);
  });
  frame();
  EXPECT_FALSE(needs_drawing());
}

TEST_F(GuiTest, WhatIsChangedByHandIsRemembered) {
  click("//Top/theme");
  type(ImGuiMod_Ctrl | ImGuiKey_Minus);
  type(ImGuiKey_A);
  play([](ImGuiTestContext& user) {
    user.MouseMove("//Divider/divider");
    user.MouseDown();
    user.MouseMoveToPos({640, 350});
    user.MouseUp();
  });
  const Settings untouched;
  EXPECT_NE(state.settings.theme, untouched.theme);
  EXPECT_LT(state.settings.scale, untouched.scale);
  EXPECT_NE(state.settings.animate, untouched.animate);
  EXPECT_LT(state.settings.chart_share, untouched.chart_share);
  EXPECT_EQ(settings_of(to_json(state.settings)), state.settings);
}

}  // namespace
}  // namespace rooftile::window
