#include "app/window/shell/gui_test.hpp"

#include <GLFW/glfw3.h>
#include <dlfcn.h>
#include <imgui_internal.h>  // what was logged

#include <algorithm>
#include <cmath>
#include <sstream>

#include "app/scene/state/test_session.hpp"
#include "app/window/panels/panels.hpp"

namespace rooftile::window {
namespace {

constexpr int width = 1280, height = 800;
// OpenGL takes some of the loader's memory each time that it is loaded, and these tests open a hundred windows.
[[maybe_unused]] const void* const opengl = dlopen("libGLX.so.0", RTLD_NOW);
constexpr int frames_to_follow = 2;  // a menu opens in the frame after the click, and is sized in the next

bool nearly(const std::uint8_t* pixel, Rgb colour) {
  const auto off = [](int a, int b) { return std::abs(a - b); };
  return off(pixel[0], colour.red) + off(pixel[1], colour.green) + off(pixel[2], colour.blue) <= 12;
}

// Logs the words from now on to the end of the frame; what is clipped is left out, as on the screen.
void listen() {
  ImGui::LogToBuffer();
  ImGui::GetCurrentContext()->ItemUnclipByLog = false;
}

std::string heard() {
  const ImGuiTextBuffer& logged = ImGui::GetCurrentContext()->LogBuffer;
  std::string words(logged.begin(), logged.end());
  ImGui::LogFinish();
  for (std::size_t at = 0; (at = words.find("\u00a0", at)) != words.npos;) {  // a space where no line breaks
    words.replace(at, 2, " ");
  }
  return words;
}

std::string new_lines(const std::string& before, const std::string& after) {
  std::string found;
  std::istringstream lines(after);
  for (std::string line; std::getline(lines, line);) {
    if (before.find(line + '\n') == std::string::npos) {
      found += line + '\n';
    }
  }
  return found;
}

}  // namespace

GuiTest::GuiTest()
    : state(recorded_state()),
      window_(std::make_unique<Window>(std::pair(width, height), Window::Visible::yes,
                                       ROOFTILE_SOURCE_DIR "/assets/fonts")),
      engine_(ImGuiTestEngine_CreateContext()) {
  ImGuiTestEngineIO& io = ImGuiTestEngine_GetIO(engine_);
  io.ConfigVerboseLevel = ImGuiTestVerboseLevel_Error;
  io.ConfigVerboseLevelOnError = ImGuiTestVerboseLevel_Info;
  io.ConfigRunSpeed = ImGuiTestRunSpeed_Fast;
  io.ConfigLogToTTY = true;
  ImGuiTestEngine_Start(engine_, ImGui::GetCurrentContext());
}

// The engine outlives the context of Dear ImGui, as it asks for.
GuiTest::~GuiTest() {
  ImGuiTestEngine_Stop(engine_);
  window_.reset();
  ImGuiTestEngine_DestroyContext(engine_);
}

void GuiTest::frame() {
  state.now = frames_ += 1.0 / 60;
  if (state.view.motion && state.now - state.view.motion->started > motion_seconds) {
    state.view.motion.reset();
  }
  Actions actions;
  window_->take_input(0);
  window_->begin_frame(state.settings);
  if (reads_words_) {
    listen();
  }
  draw_frame(state, actions);
  if (reads_words_) {
    words_ = heard();
  }
  window_->end_frame();  // not presented: drawing it in software is nine tenths of a frame
  ImGuiTestEngine_PostSwap(engine_);
  std::ranges::move(scene::apply(state, actions), std::back_inserter(requests));
}

void GuiTest::play(const Script& script) {
  ImGuiTest* test = ImGuiTestEngine_RegisterTest(engine_, "rooftile", "script", __FILE__, __LINE__);
  test->TestFunc = [&](ImGuiTestContext* context) { script(*context); };
  ImGuiTestEngine_QueueTest(engine_, test, ImGuiTestRunFlags_None);
  while (!ImGuiTestEngine_IsTestQueueEmpty(engine_)) {
    frame();
  }
  EXPECT_EQ(test->Output.Status, ImGuiTestStatus_Success);
  ImGuiTestEngine_UnregisterTest(engine_, test);
}

Picture GuiTest::picture() {
  for (int i = 0; i < 12; ++i) {
    frame();
  }
  return window_->picture(state.settings);
}

std::string GuiTest::read(ImGuiTestContext& user) {
  reads_words_ = true;
  user.Yield(frames_to_follow + 1);
  reads_words_ = false;
  return words_;
}

std::string GuiTest::words() {
  std::string seen;
  play([&](ImGuiTestContext& user) { seen = read(user); });
  return seen;
}

void GuiTest::click(const std::string& item, ImGuiMouseButton mouse_button) {
  play([&](ImGuiTestContext& user) {
    user.ItemClick(item.c_str(), mouse_button);
    user.Yield(frames_to_follow);
  });
}

void GuiTest::click_at(ImVec2 at, ImGuiMouseButton mouse_button) {
  play([&](ImGuiTestContext& user) {
    user.MouseMoveToPos(at);
    user.MouseClick(mouse_button);
    user.Yield(frames_to_follow);
  });
}

void GuiTest::type(ImGuiKeyChord key) {
  play([&](ImGuiTestContext& user) {
    user.KeyPress(key);
    user.Yield(frames_to_follow);
  });
}

std::string GuiTest::hint_of(const std::string& item) {
  const ImRect place = place_of(item);
  return hint_at(place.GetCenter());
}

std::string GuiTest::hint_at(ImVec2 at) {
  constexpr ImVec2 nothing_there{2, 2};
  std::string hint;
  play([&](ImGuiTestContext& user) {
    user.MouseMoveToPos(nothing_there);
    const std::string before = read(user);
    user.MouseMoveToPos(at);
    const std::string after = read(user);
    const ImGuiWindow* tooltip = user.GetWindowByRef("//##Tooltip_00");
    hint = tooltip && tooltip->Active ? new_lines(before, after) : "";
  });
  return hint;
}

std::string GuiTest::menu_of(const std::string& item, ImGuiMouseButton mouse_button) {
  std::string rows;
  play([&](ImGuiTestContext& user) {
    const std::string before = read(user);
    user.ItemClick(item.c_str(), mouse_button);
    rows = new_lines(before, read(user));
  });
  return rows;
}

void GuiTest::choose(const std::string& menu, const std::string& row, ImGuiMouseButton mouse_button) {
  play([&](ImGuiTestContext& user) {
    user.ItemClick(menu.c_str(), mouse_button);
    user.ItemClick(("//$FOCUSED/" + row).c_str());
    user.Yield(frames_to_follow);
  });
}

bool GuiTest::shows(const std::string& item) {
  bool exists = false;
  play([&](ImGuiTestContext& user) { exists = user.ItemExists(item.c_str()); });
  return exists;
}

ImRect GuiTest::place_of(const std::string& item) {
  ImRect place;
  play([&](ImGuiTestContext& user) { place = user.ItemInfo(item.c_str()).RectFull; });
  return place;
}

int GuiTest::inked(const std::string& window, Rgb colour) {
  frame();
  const ImGuiWindow* found = ImGui::FindWindowByName(window.c_str());
  if (!found || !found->Active) {
    return 0;
  }
  const ImU32 wanted = ink(colour) & ~IM_COL32_A_MASK;
  return static_cast<int>(std::ranges::count_if(found->DrawList->VtxBuffer, [&](const ImDrawVert& corner) {
    return (corner.col & ~IM_COL32_A_MASK) == wanted && (corner.col & IM_COL32_A_MASK) != 0;
  }));
}

void GuiTest::resize(int new_width, int new_height) {
  glfwSetWindowSize(window_->handle(), new_width, new_height);
  for (int i = 0; i < 100 && window_->width() != new_width; ++i) {
    window_->take_input(0.01);
  }
  frame();
}

Layout GuiTest::layout() {
  frame();  // the first one says how large the window is
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  return arrange(size.x, size.y, state.settings.scale, state.settings.chart_share_above(state.view.lower));
}

int pixels_of(const Picture& picture, Rgb colour, const Rect& part) {
  int found = 0;
  for (int y = static_cast<int>(part.y); y < static_cast<int>(part.bottom()); ++y) {
    for (int x = static_cast<int>(part.x); x < static_cast<int>(part.right()); ++x) {
      found += nearly(&picture.pixels[(static_cast<std::size_t>(y) * picture.width + x) * 4], colour) ? 1 : 0;
    }
  }
  return found;
}

Rect whole(const Picture& picture) {
  return {0, 0, static_cast<float>(picture.width), static_cast<float>(picture.height)};
}

bool menu_is_open() {
  return ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup);
}

Layout layout_of(const AppState& state, const Picture& picture) {
  return arrange(static_cast<float>(picture.width), static_cast<float>(picture.height), state.settings.scale,
                 state.settings.chart_share_above(state.view.lower));
}

}  // namespace rooftile::window
