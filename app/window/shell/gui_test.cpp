#include "app/window/shell/gui_test.hpp"

#include <algorithm>
#include <cmath>

#include "app/scene/test_session.hpp"
#include "app/window/panels/panels.hpp"

namespace rooftile::window {
namespace {

constexpr int width = 1280, height = 800;

bool nearly(const std::uint8_t* pixel, Rgb colour) {
  const auto off = [](int a, int b) { return std::abs(a - b); };
  return off(pixel[0], colour.red) + off(pixel[1], colour.green) + off(pixel[2], colour.blue) <= 12;
}

void gather(Orders& all, Orders&& more) {
  if (more.measure) {
    all.measure = std::move(more.measure);
  }
  if (more.profile) {
    all.profile = std::move(more.profile);
  }
  std::ranges::move(more.sweep, std::back_inserter(all.sweep));
  all.roofs |= more.roofs;
  all.cancel_sweep |= more.cancel_sweep;
  all.export_picture |= more.export_picture;
  all.export_session |= more.export_session;
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
  draw_frame(state, actions);
  window_->end_frame(state.settings);
  ImGuiTestEngine_PostSwap(engine_);
  gather(orders, scene::apply(state, actions));
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

}  // namespace rooftile::window
