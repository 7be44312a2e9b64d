#include "app/window/shell/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <vector>

#include "analysis/platform/platform.hpp"
#include "analysis/platform/run_program.hpp"
#include "analysis/platform/write_file.hpp"
#include "app/conductor/conductor.hpp"
#include "app/conductor/settings_file.hpp"
#include "app/scene/program/program_words.hpp"
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

// Closing the window does not end the program: waits for it and returns its status.
int leave_program(Conductor& conductor, Window& window) {
  window.hide();
  if (!conductor.program_runs()) {
    return conductor.wait_for_program();
  }
  std::fprintf(stderr,
               "rooftile: the window is closed. %s still runs, and its launches are still counted; "
               "Ctrl-C ends it.\n",
               conductor.state().known.session.program->name.c_str());
  const int status = conductor.wait_for_program();
  std::error_code none;
  if (std::filesystem::file_size(conductor.journal_file(), none) > 0 && !none) {
    std::fprintf(stderr, "rooftile: what was counted is kept in %s\n", conductor.journal_file().c_str());
  }
  return status;
}

// An order to end was handed on to the program, and it has ended.
bool told_to_end(const Conductor& conductor) {
  return platform::RunningProgram::told_to_end() && !conductor.program_runs();
}

int open_window(const CommandLine& wanted) {
  const Settings remembered = conductor::load_settings(conductor::settings_file());
  Conductor conductor(wanted, remembered, bundled_session());
  Window window(wanted.size.value_or(std::pair(remembered.width, remembered.height)), Window::Visible::yes,
                fonts());
  conductor.scale_with(window.content_scale());
  for (EventLoop loop(conductor, window); !window.closing() && !told_to_end(conductor);) {
    loop.turn();
  }
  conductor::save_settings(conductor.settings_to_remember(window.width(), window.height()),
                           conductor::settings_file());
  return leave_program(conductor, window);
}

void settle(Conductor& conductor, EventLoop& loop) {
  const auto is_patient = [&] { return conductor.program_runs() || loop.seconds() < screenshot_patience; };
  for (int settled = 0; settled < FramePacing::frames_to_settle && is_patient();) {
    loop.something_changed();
    loop.turn();
    settled = conductor.resting() && !conductor.program_runs() ? settled + 1 : 0;
  }
}

double median_work(EventLoop& loop) {
  std::vector<double> work(100);
  for (double& each : work) {
    loop.something_changed();
    loop.turn();
    each = loop.work();
  }
  std::ranges::nth_element(work, work.begin() + work.size() / 2);
  return work[work.size() / 2];
}

// The share of a core that the window takes while nothing happens.
double share_at_rest(EventLoop& loop) {
  constexpr double long_enough = 2;  // [s]
  for (int frame = 0; frame < FramePacing::frames_to_settle; ++frame) {
    loop.turn();
  }
  const double begun = loop.seconds();
  const std::clock_t worked = std::clock();
  while (loop.seconds() < begun + long_enough) {
    loop.turn();
  }
  return static_cast<double>(std::clock() - worked) / CLOCKS_PER_SEC / (loop.seconds() - begun);
}

// For `rooftile-cli bench window`, which knows when the program was started.
int take_times(const CommandLine& wanted, const std::filesystem::path& file) {
  const Settings plain;
  Conductor conductor(wanted, plain, bundled_session());
  Window window(wanted.size.value_or(std::pair(plain.width, plain.height)), Window::Visible::yes, fonts());
  conductor.scale_with(1);
  EventLoop loop(conductor, window);
  loop.turn();
  window.finish_frames();
  const std::chrono::duration<double> first = std::chrono::steady_clock::now().time_since_epoch();
  settle(conductor, loop);
  const double work = median_work(loop);
  platform::write_file(file,
                       fmt::format("{{\"first_frame_at_s\": {}, \"work_s\": {}, \"rest_share\": {}}}\n",
                                   first.count(), work, share_at_rest(loop)),
                       platform::any_kind);
  return leave_program(conductor, window);
}

// It looks the same whoever takes it: nothing is remembered.
int take_screenshot(const CommandLine& wanted, const std::filesystem::path& file) {
  const Settings plain;
  Conductor conductor(wanted, plain, bundled_session());
  Window window(wanted.size.value_or(std::pair(plain.width, plain.height)), Window::Visible::no, fonts());
  conductor.scale_with(1);
  EventLoop loop(conductor, window);
  settle(conductor, loop);
  write_png(window.picture(conductor.state().settings), file);
  return leave_program(conductor, window);
}

}  // namespace

int run(const CommandLine& wanted) {
  if (!wanted.program.empty()) {
    platform::expect_program(wanted.program);
    std::fprintf(stderr, "rooftile: %s\n", counting_cost(wanted.profile).c_str());
  }
  if (wanted.times) {
    return take_times(wanted, *wanted.times);
  }
  return wanted.screenshot ? take_screenshot(wanted, *wanted.screenshot) : open_window(wanted);
}

}  // namespace rooftile::window
