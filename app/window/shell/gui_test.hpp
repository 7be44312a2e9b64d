// A real window with a scripted user in it. Programs of these tests link imgui_test_engine in place of imgui.
#pragma once

#include <gtest/gtest.h>
#include <imgui_te_context.h>
#include <imgui_te_engine.h>

#include <functional>
#include <memory>

#include "app/scene/actions.hpp"
#include "app/scene/layout.hpp"
#include "app/window/shell/window.hpp"

namespace rooftile::window {

using Script = std::function<void(ImGuiTestContext&)>;

class GuiTest : public testing::Test {
 protected:
  GuiTest();
  ~GuiTest() override;

  // Draws frames until the script is over. Fails the test where the script could not click what it wanted.
  void play(const Script& script);
  // One frame without a user.
  void frame();
  Picture picture();

  AppState state;
  Orders orders;  // of all frames since the test began

 private:
  std::unique_ptr<Window> window_;
  ImGuiTestEngine* engine_ = nullptr;
  double frames_ = 0;
};

// How many pixels of a part of the picture have nearly this colour.
int pixels_of(const Picture& picture, Rgb colour, const Rect& part);
Rect whole(const Picture& picture);

}  // namespace rooftile::window
