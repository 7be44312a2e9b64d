// A real window with a scripted user in it. Programs of these tests link imgui_test_engine in place of imgui.
#pragma once

#include <gmock/gmock.h>
#include <imgui_te_context.h>
#include <imgui_te_engine.h>

#include <functional>
#include <memory>
#include <string>

#include "app/scene/actions/actions.hpp"
#include "app/scene/paper/layout.hpp"
#include "app/scene/state/test_session.hpp"
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
  // All words of the window; the pointer stays where it was left. Labels drawn as part of a picture are not
  // among them.
  std::string words();

  // One gesture each, as most tests need it. "//Panel/item"
  void click(const std::string& item, ImGuiMouseButton mouse_button = 0);
  void click_at(ImVec2 at, ImGuiMouseButton mouse_button = 0);
  void type(ImGuiKeyChord key);
  // The lines that are there once the pointer rests there, and were not before. Empty: no tooltip.
  std::string hint_of(const std::string& item);
  std::string hint_at(ImVec2 at);
  // The lines of the menu that it opens; the end of a script closes every menu.
  std::string menu_of(const std::string& item, ImGuiMouseButton mouse_button = 0);
  void choose(const std::string& menu, const std::string& row, ImGuiMouseButton mouse_button = 0);
  bool shows(const std::string& item);
  ImRect place_of(const std::string& item);

  // How many corners of what a panel draws have exactly this colour: thin words have no pixel of it.
  int inked(const std::string& window, Rgb colour);
  void resize(int width, int height);
  bool needs_drawing() const { return window_->needs_drawing(); }
  Layout layout();

  AppState state;
  Requests requests;  // of all frames since the test began

 private:
  std::string read(ImGuiTestContext& user);

  std::unique_ptr<Window> window_;
  ImGuiTestEngine* engine_ = nullptr;
  double frames_ = 0;
  bool reads_words_ = false;
  std::string words_;
};

// How many pixels of a part of the picture have nearly this colour.
int pixels_of(const Picture& picture, Rgb colour, const Rect& part);
Rect whole(const Picture& picture);
bool menu_is_open();

// The places of the panels in that picture.
Layout layout_of(const AppState& state, const Picture& picture);

}  // namespace rooftile::window
