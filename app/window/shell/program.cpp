#include "app/window/shell/program.hpp"

#include "analysis/platform/platform.hpp"
#include "app/conductor/conductor.hpp"
#include "app/conductor/settings_file.hpp"
#include "app/session/bundled_session.hpp"
#include "app/window/shell/event_loop.hpp"
#include "app/window/shell/window.hpp"

namespace rooftile::window {
namespace {

using conductor::CommandLine;
using conductor::Conductor;

constexpr double screenshot_patience = 120;  // [s] for a measurement to end

std::filesystem::path fonts() {
  return platform::data_directory() / "assets" / "fonts";
}

void open_window(const CommandLine& wanted) {
  const Settings remembered = conductor::load_settings(conductor::settings_file());
  Conductor conductor(wanted, remembered, bundled_session());
  Window window(wanted.size.value_or(std::pair(remembered.width, remembered.height)), Window::Visible::yes,
                fonts());
  conductor.scale_with(window.content_scale());
  for (EventLoop loop(conductor, window); !window.closing();) {
    loop.turn();
  }
  conductor::save_settings(conductor.settings_to_remember(window.width(), window.height()),
                           conductor::settings_file());
}

// It looks the same whoever takes it: nothing is remembered.
void take_screenshot(const CommandLine& wanted, const std::filesystem::path& file) {
  const Settings plain;
  Conductor conductor(wanted, plain, bundled_session());
  Window window(wanted.size.value_or(std::pair(plain.width, plain.height)), Window::Visible::no, fonts());
  conductor.scale_with(1);
  EventLoop loop(conductor, window);
  for (int settled = 0; settled < FramePacing::frames_to_settle && loop.seconds() < screenshot_patience;) {
    loop.something_changed();
    loop.turn();
    settled = conductor.resting() ? settled + 1 : 0;
  }
  write_png(window.picture(conductor.state().settings), file);
}

}  // namespace

void run(const CommandLine& wanted) {
  if (wanted.screenshot) {
    take_screenshot(wanted, *wanted.screenshot);
  } else {
    open_window(wanted);
  }
}

}  // namespace rooftile::window
