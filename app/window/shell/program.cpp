#include "app/window/shell/program.hpp"

#include <chrono>

#include "analysis/error.hpp"
#include "analysis/platform/platform.hpp"
#include "app/conductor/conductor.hpp"
#include "app/conductor/settings_file.hpp"
#include "app/session/bundled_session.hpp"
#include "app/window/panels/panels.hpp"
#include "app/window/shell/frame_pacing.hpp"
#include "app/window/shell/window.hpp"

namespace rooftile::window {
namespace {

using Clock = std::chrono::steady_clock;
using conductor::CommandLine;

constexpr double screenshot_patience = 120;  // [s] for a measurement to end

// A screenshot looks the same whoever takes it.
Settings remembered_settings(const CommandLine& wanted) {
  return wanted.screenshot ? Settings{} : conductor::load_settings(conductor::settings_file());
}

std::pair<int, int> first_size(const CommandLine& wanted, const Settings& remembered) {
  return wanted.size.value_or(std::pair(remembered.width, remembered.height));
}

class Program {
 public:
  explicit Program(const CommandLine& wanted) : Program(wanted, remembered_settings(wanted)) {}

  Program(const CommandLine& wanted, const Settings& remembered)
      : conductor_(wanted, remembered, bundled_session()),
        window_(first_size(wanted, remembered), wanted.screenshot ? Window::Visible::no : Window::Visible::yes,
                platform::data_directory() / "assets" / "fonts") {
    conductor_.scale_with(wanted.screenshot ? 1 : window_.content_scale());
  }

  void run() {
    while (!window_.closing()) {
      wait();
      step();
    }
    conductor::save_settings(conductor_.settings_to_remember(window_.width(), window_.height()),
                             conductor::settings_file());
  }

  void take_screenshot(const std::filesystem::path& file) {
    for (int settled = 0; settled < FramePacing::frames_to_settle && seconds_open() < screenshot_patience;) {
      wait();
      pacing_.something_changed();
      step();
      settled = conductor_.resting() ? settled + 1 : 0;
    }
    write_png(window_.picture(conductor_.state().settings), file);
  }

 private:
  // Until there is something to draw.
  void wait() {
    const bool outlasted = conductor_.launching();
    window_.take_input(pacing_.input_wait(!conductor_.resting()));
    for (const auto start = Clock::now(); FramePacing::rests(load(), Clock::now() - start);) {
      conductor_.wait(FramePacing::look);
      take_news();
      window_.take_input(0);
      if (outlasted && window_.has_input()) {
        break;
      }
    }
  }

  FramePacing::Load load() const {
    return {conductor_.state().session.busy, conductor_.has_to_send(), conductor_.launching()};
  }

  void take_news() {
    if (conductor_.news(seconds_open())) {
      pacing_.something_changed();
    }
  }

  void step() {
    take_news();
    for (const std::filesystem::path& file : window_.take_dropped()) {
      conductor_.open(file);
      pacing_.something_changed();
    }
    if (window_.needs_drawing() || conductor_.state().view.motion) {
      pacing_.something_changed();
    }
    if (pacing_.frame_is_due()) {
      pacing_.frame_begins();
      draw();
    }
  }

  void draw() {
    Actions actions;
    window_.begin_frame(conductor_.state().settings);
    draw_frame(conductor_.state(), actions);
    window_.end_frame();
    window_.present(conductor_.state().settings);
    if (conductor_.has_to_send()) {
      window_.finish_frames();
    }
    conductor_.send();
    if (const auto picture = conductor_.apply(actions)) {
      save_picture(*picture);
    }
    if (!actions.empty()) {
      pacing_.something_changed();
    }
  }

  void save_picture(const std::filesystem::path& file) {
    try {
      write_png(window_.picture(conductor_.state().settings), file);
      conductor_.tell(Message::Kind::done, "Saved " + file.string());
    } catch (const Error& error) {
      conductor_.tell(Message::Kind::wrong, error.what());
    }
  }

  double seconds_open() const { return std::chrono::duration<double>(Clock::now() - opened_).count(); }

  conductor::Conductor conductor_;
  Window window_;
  Clock::time_point opened_ = Clock::now();
  FramePacing pacing_;
};

}  // namespace

void run(const CommandLine& wanted) {
  Program program(wanted);
  if (wanted.screenshot) {
    program.take_screenshot(*wanted.screenshot);
  } else {
    program.run();
  }
}

}  // namespace rooftile::window
