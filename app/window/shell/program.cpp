#include "app/window/shell/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "analysis/error.hpp"
#include "analysis/platform/platform.hpp"
#include "app/conductor/settings_file.hpp"
#include "app/conductor/start.hpp"
#include "app/scene/actions.hpp"
#include "app/session/bundled_session.hpp"
#include "app/window/panels/panels.hpp"
#include "app/window/shell/window.hpp"

namespace rooftile::window {
namespace {

using namespace conductor;

using Clock = std::chrono::steady_clock;

constexpr double idle_wait = 0.05;                  // [s] between frames when nothing moves
constexpr std::chrono::milliseconds busy_wait{16};  // and while something is compiled
// A frame that falls into a launch on the same GPU costs it 1.7 ms and 150 MB of DRAM, as seen on an H200. So
// nothing is drawn meanwhile, for as long as a hand has patience; after that, where it moves.
constexpr std::chrono::milliseconds longest_stillness{500};
constexpr int frames_to_settle = 4;          // Dear ImGui sizes some things from the frame before
constexpr double screenshot_patience = 120;  // [s] for a measurement to end

// "rooftile-1.png": the first name in the current folder that is free.
std::filesystem::path free_name(const std::string& extension) {
  for (int i = 1;; ++i) {
    const std::filesystem::path file = fmt::format("rooftile-{}.{}", i, extension);
    if (!std::filesystem::exists(file)) {
      return std::filesystem::absolute(file);
    }
  }
}

class Program {
 public:
  explicit Program(const CommandLine& options)
      : options_(options),
        state_(first_state(options)),
        session_(first_session(options)),
        window_(state_.settings.width, state_.settings.height,
                options.screenshot ? Window::Visible::no : Window::Visible::yes,
                platform::data_directory() / "assets" / "fonts") {
    if (!options.screenshot) {
      state_.settings.scale = options.scale.value_or(state_.settings.scale * window_.content_scale());
    }
    take_session();
    start();
  }

  void run() {
    while (!window_.closing()) {
      wait();
      step();
    }
    remember();
  }

  void take_screenshot() {
    int settled = 0;
    while (settled < frames_to_settle && state_.now < screenshot_patience) {
      wait();
      step();
      settled = resting() && !session_.busy() && !session_.starting() ? settled + 1 : 0;
    }
    write_png(window_.picture(state_.settings), *options_.screenshot);
  }

 private:
  // Dials as the command line wants them. Once it is known what the worker can do it is set to work.
  void start() {
    open(state_);
    Actions actions = first_actions(options_, state_);
    actions.emplace_back(MeasureAgain{});
    const Orders orders = scene::apply(state_, actions);
    worker_known_ = !session_.starting();
    if (worker_known_) {
      carry_out(orders);
    }
    state_.view.motion.reset();
  }

  void measure(const Configuration& wanted, const std::vector<Configuration>& meanwhile) {
    if (session_.mode() != Mode::recorded) {
      aim();
      session_.request(wanted);
      session_.prepare(meanwhile);
    }
  }

  // Until there is something to draw.
  void wait() {
    const bool outlasted = session_.launching();
    window_.take_input(session_.busy() || state_.view.motion ? 0 : idle_wait);
    for (const auto start = Clock::now(); rests(Clock::now() - start);) {
      session_.wait(busy_wait);
      take_messages();
      window_.take_input(0);
      if (outlasted && window_.has_input()) {
        break;
      }
    }
  }

  bool rests(Clock::duration since) const {
    if (!session_.busy() || session_.has_to_send()) {
      return false;
    }
    return since < (session_.launching() ? longest_stillness : busy_wait);
  }

  void take_messages() {
    state_.now = seconds_open();
    if (session_.poll()) {
      take_session();
      refresh(state_);
    }
  }

  void step() {
    take_messages();
    update(state_.session, session_);
    if (!worker_known_ && !session_.starting()) {
      know_the_worker();
    }
    if (state_.view.motion && state_.now - state_.view.motion->started > motion_seconds) {
      state_.view.motion.reset();
    }
    draw();
  }

  void draw() {
    Actions actions;
    window_.begin_frame(state_.settings);
    draw_frame(state_, actions);
    window_.end_frame(state_.settings);
    if (session_.has_to_send()) {
      window_.finish_frames();
    }
    session_.send();
    try {
      carry_out(scene::apply(state_, actions));
    } catch (const Error& error) {
      state_.view.error = error.what();
    }
  }

  // The worker has introduced itself: with no device and nothing else asked for, a recording is shown instead.
  void know_the_worker() {
    const auto recording = bundled_session();
    if (session_.mode() != Mode::live && !options_.live && recording) {
      session_ = Session::recorded(*recording);
      state_.session = SessionView{};
    }
    take_session();
    start();
  }

  void take_session() {
    update(state_.session, session_);
    take_log(state_, session_.log());
  }

  void carry_out(const Orders& orders) {
    if (orders.cancel_sweep) {
      session_.cancel_sweep();
    }
    if (orders.measure) {
      measure(*orders.measure, orders.prepare);
    }
    if (orders.profile) {
      session_.profile(*orders.profile);
    }
    if (orders.roofs) {
      session_.measure_roofs(Work::roofs_again);
    }
    if (!orders.sweep.empty()) {
      session_.sweep(orders.sweep);
    }
    if (orders.export_picture) {
      say_saved(free_name("png"), [&](const auto& file) { write_png(window_.picture(state_.settings), file); });
    }
    if (orders.export_session) {
      say_saved(free_name("jsonl"), [&](const auto& file) { save_session(session_.log(), file); });
    }
  }

  // Actions are launched on the device, or compiled for the GPU that was chosen instead of it.
  void aim() {
    const Gpu* chosen = gpu(state_);
    if (mode(state_) == Mode::predicted && chosen) {
      session_.predict_for(*chosen);
    } else {
      session_.measure_again();
    }
  }

  template <class Save>
  void say_saved(const std::filesystem::path& file, Save save) {
    save(file);
    state_.view.notice = "Saved " + file.string();
  }

  bool resting() const { return !state_.view.motion && !session_.busy(); }

  void remember() {
    state_.settings.width = window_.width();
    state_.settings.height = window_.height();
    Settings settings = state_.settings;
    settings.scale /= window_.content_scale();
    save_settings(settings, settings_file());
  }

  double seconds_open() const { return std::chrono::duration<double>(Clock::now() - opened_).count(); }

  CommandLine options_;
  AppState state_;
  Session session_;
  Window window_;
  Clock::time_point opened_ = Clock::now();
  bool worker_known_ = false;  // whether it measures, or what it lacks
};

}  // namespace

void run(const conductor::CommandLine& options) {
  Program program(options);
  if (options.screenshot) {
    program.take_screenshot();
  } else {
    program.run();
  }
}

}  // namespace rooftile::window
