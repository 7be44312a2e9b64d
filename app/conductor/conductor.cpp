#include "app/conductor/conductor.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/error.hpp"
#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/session_files.hpp"
#include "analysis/winner.hpp"
#include "app/conductor/first_state.hpp"
#include "app/scene/best_launch.hpp"
#include "app/scene/program_kernels.hpp"
#include "app/scene/visits.hpp"

namespace rooftile::conductor {
namespace {

using scene::Message;

// "rooftile-1.png": the first name in the current folder that is free, and free for the table beside it.
std::filesystem::path free_name(const std::string& extension) {
  for (int i = 1;; ++i) {
    const std::filesystem::path file = fmt::format("rooftile-{}.{}", i, extension);
    if (!std::filesystem::exists(file) && !std::filesystem::exists(platform::points_file_beside(file))) {
      return std::filesystem::absolute(file);
    }
  }
}

SessionOptions session_options(const CommandLine& wanted) {
  SessionOptions options;
  options.worker = wanted.worker;
  options.kernel_folders = wanted.kernel_folders;
  options.recording = wanted.session.value_or("");
  options.beside = wanted.beside;
  options.compile_only = wanted.session.has_value();
  options.journal = wanted.journal;
  return options;
}

// Why there is no device to measure on, and what to do about it.
std::string why_no_device(const Session& session) {
  for (const char* name : {"worker", "device"}) {
    const auto found = std::ranges::find(session.facilities(), name, &Facility::name);
    if (found != session.facilities().end() && found->state != Facility::State::ready) {
      return found->fix.empty() ? found->sentence : found->sentence + " " + found->fix;
    }
  }
  return "There is no GPU to measure on.";
}

}  // namespace

Conductor::Conductor(const CommandLine& wanted, const scene::Settings& settings,
                     const std::optional<std::filesystem::path>& recording)
    : wanted_(wanted),
      remembered_(settings),
      recording_(recording),
      state_(first_state(wanted, settings)),
      session_(session_options(wanted)),
      program_due_(!wanted.program.empty()) {
  begin();
  if (program_due_) {
    scene::await_program(state_, program_name(wanted.program));
    scene::refresh(state_);
  }
}

void Conductor::begin() {
  view_session();
  start();
  if (wanted_.made) {
    apply({scene::OpenForm{}});
  }
  if (wanted_.unnamed) {
    open(*wanted_.unnamed);
  }
  if (!state_.mistakes.empty()) {
    tell(Message::Kind::wrong, fmt::format("{}", fmt::join(state_.mistakes, "   ")));
  }
  if (!session_.reading()) {
    tell_left_out();
  }
}

void Conductor::tell_left_out() {
  if (const auto& lines = session_.log().left_out; !lines.empty()) {
    tell(Message::Kind::wrong, fmt::format("Left out: {}", fmt::join(in_short(lines), "   ")));
  }
}

// The first screen: the dials as the command line wants them.
void Conductor::start() {
  scene::open(state_);
  scene::Actions actions = first_actions(wanted_, state_);
  if (!wanted_.beside.empty()) {
    actions.emplace_back(scene::CompareWith{scene::other_gpu(state_)});
  }
  actions.emplace_back(scene::MeasureAgain{});
  carry_out(scene::apply(state_, actions));
  state_.older_choices.clear();
  state_.view.motion.reset();
}

bool Conductor::news(double now) {
  bool changed = scene::pass_time(state_, now);
  changed = listen() || changed;
  changed = wait_goes_on() || changed;
  changed = follow_source(now) || changed;
  changed = follow_manifest(now) || changed;
  changed = follow_readings() || changed;
  changed = follow_program() || changed;
  if (!worker_met_ && !session_.starting()) {
    worker_met_ = true;
    meet_worker();
    changed = true;
  }
  return changed;
}

// What is shown is worked out anew, but not for each piece of a long recording.
bool Conductor::listen() {
  const bool read = session_.reading();
  if (!session_.poll()) {
    return false;
  }
  view_session();
  if (session_.reading()) {
    return true;
  }
  if (read) {
    meet_recording();
  }
  go_on_searching();
  scene::refresh(state_);
  return true;
}

// All of it is read.
void Conductor::meet_recording() {
  begin_anew();
  tell_left_out();
}

// It is known now what the worker can do.
void Conductor::meet_worker() {
  if (state_.session.program) {
    return meet_worker_beside_program();
  }
  if (!session_.device() && !wanted_.session) {
    show_recording();
  }
  view_session();
  if (std::exchange(started_by_hand_, false) && session_.device()) {
    state_.choice.gpu.clear();
  }
  begin_anew();
}

// What the user has chosen meanwhile stays.
void Conductor::begin_anew() {
  if (state_.older_choices.empty()) {
    state_.choice = {};
    start();
    return;
  }
  scene::choose_gpu(state_);
  scene::settle_on_recording(state_);
  carry_out(scene::apply(state_, {scene::Fit{}, scene::MeasureAgain{}}));
}

// Nobody needs to wonder where the figures come from: a device that was asked for and is not there is told of.
void Conductor::show_recording() {
  const bool device_asked_for = wanted_.live || !wanted_.worker.empty();
  if (recording_ && !wanted_.live) {
    session_.read_recording(*recording_);
    tell_left_out();
  }
  if (device_asked_for) {
    tell(Message::Kind::wrong, why_no_device(session_));
  }
}

void Conductor::view_session() {
  scene::SessionView& view = state_.session;
  view.starting = session_.starting();
  view.reading = session_.reading();
  view.compiles = session_.starting() || session_.compiles();
  view.device = session_.device() ? session_.device()->name : "";
  view.log = session_.shared_log();
  view_progress();
  scene::follow_log(state_);
  report_error();
}

void Conductor::view_progress() {
  state_.session.busy = session_.busy();
  state_.session.compilers = Session::compilers();
  state_.session.progress = session_.progress();
  state_.session.time_left = session_.time_left();
  const auto silence = session_.silence();
  state_.session.waited = silence ? std::optional(silence->so_far) : std::nullopt;
  state_.session.gives_up_in = silence ? std::optional(silence->left) : std::nullopt;
  state_.session.worker_given_up = session_.given_up();
  state_.session.sweep_paused = session_.sweep_paused();
  if (state_.search && state_.search->goes_on()) {
    state_.session.progress = Progress{"the best", static_cast<int>(state_.search->search.tries().size()),
                                       static_cast<int>(state_.search->search.limits().launches)};
    state_.session.time_left.reset();
  }
}

void Conductor::go_on_searching() {
  if (const auto next = scene::go_on_searching(state_)) {
    search(*next);
  }
}

// Behind any request of a hand at the dials, as the launches of a sweep.
void Conductor::search(const Configuration& configuration) {
  state_.search->waits_for = session_.sweep({configuration}, Session::Ahead::no).front();
  view_progress();
}

// The GPU that stood in for the missing one was nobody's choice.
void Conductor::start_worker_again() {
  session_.start_again();
  worker_met_ = false;
  started_by_hand_ = true;
}

void Conductor::open(const std::filesystem::path& file) {
  try {
    if (file.extension() == ".jsonl") {
      open_session(file);
    } else if (is_source(file)) {
      open_source(file);
    } else {
      throw Error(fmt::format("{} is neither a session nor a CUDA source: drop a .jsonl or a .cu file.",
                              file.filename().string()));
    }
  } catch (const Error& error) {
    tell(Message::Kind::wrong, error.what());
  }
}

// The window as it would have opened with this session.
void Conductor::open_session(const std::filesystem::path& file) {
  if (program_due_ || program_runs()) {
    throw Error("A program is running: open a session after it has ended.");
  }
  CommandLine wanted = wanted_;
  wanted.session = file;
  wanted.beside.clear();
  wanted.gpu.reset();
  wanted.kernel.reset();
  wanted.values.clear();
  wanted.made = false;
  wanted.program.clear();
  wanted.unnamed.reset();
  session_ = Session(session_options(wanted));
  wanted_ = std::move(wanted);
  state_ = without_session(std::move(state_));
  reported_.reset();
  worker_met_ = started_by_hand_ = false;
  begin();
}

// A wait of some seconds is counted down.
bool Conductor::wait_goes_on() {
  const auto shown = state_.session.waited;
  view_progress();
  const auto& waited = state_.session.waited;
  return waited && waited->value >= scene::long_wait.value &&
         (!shown || std::floor(shown->value) != std::floor(waited->value));
}

void Conductor::report_error() {
  if (const auto trouble = session_.take_journal_trouble()) {
    tell(Message::Kind::wrong, *trouble);
  }
  const auto& error = session_.last_error();
  if (error && error != reported_) {
    tell(Message::Kind::wrong, *error);
  }
  reported_ = error;
}

void Conductor::tell(Message::Kind kind, const std::string& text) {
  scene::tell(state_, kind, text);
}

void Conductor::scale_with(float display) {
  state_.display_scale = display;
  if (!wanted_.scale) {
    state_.settings.scale *= display;
  }
}

scene::Settings Conductor::settings_to_remember(int width, int height) const {
  scene::Settings settings = state_.settings;
  settings.scale /= state_.display_scale;
  if (wanted_.theme == state_.settings.theme) {
    settings.theme = remembered_.theme;
  }
  if (wanted_.scale == state_.settings.scale) {
    settings.scale = remembered_.scale;
  }
  if (wanted_.size != std::pair(width, height)) {
    settings.width = width;
    settings.height = height;
  }
  return settings;
}

bool Conductor::resting() const {
  return worker_met_ && !session_.busy() && !state_.view.motion;
}

std::optional<std::filesystem::path> Conductor::apply(const scene::Actions& actions) {
  if (actions.empty()) {
    return std::nullopt;
  }
  try {
    const scene::Orders orders = scene::apply(state_, actions);
    carry_out(orders);
    return orders.export_picture ? std::optional(free_name("png")) : std::nullopt;
  } catch (const Error& error) {
    tell(Message::Kind::wrong, error.what());
    return std::nullopt;
  }
}

void Conductor::carry_out(const scene::Orders& orders) {
  if (orders.cancel_sweep) {
    session_.cancel_sweep();
  }
  if (orders.wait_longer) {
    session_.wait_longer();
  }
  if (orders.stop_launch) {
    session_.stop_launch();
  }
  if (orders.start_worker) {
    start_worker_again();
  }
  program_due_ = program_due_ || orders.run_program;
  if (orders.measure) {
    measure(orders);
  }
  if (orders.profile) {
    session_.profile(*orders.profile);
  }
  if (orders.roofs) {
    session_.measure_roofs(Work::roofs_again);
  }
  if (orders.pause_sweep) {
    session_.pause_sweep(!session_.sweep_paused());
  }
  if (!orders.sweep.empty()) {
    state_.session.swept =
        session_.sweep(orders.sweep, orders.compile_ahead ? Session::Ahead::yes : Session::Ahead::no);
  }
  if (orders.search) {
    search(*orders.search);
  }
  if (orders.save_constants || orders.save_winner) {
    save_best(orders);
  }
  if (orders.read_kernel) {
    read_source(state_.view.question->source, *orders.read_kernel);
  }
  if (orders.ask_for_kernel) {
    ask_for_kernel(*orders.ask_for_kernel);
  }
  if (orders.save_manifest) {
    save_manifest(*orders.save_manifest);
  }
  if (orders.export_session) {
    save(free_name("jsonl"));
  }
  view_progress();
}

// On the device, or compiled for the GPU that was chosen instead of it. Before the worker has introduced itself
// neither is known; meet_worker() then asks.
void Conductor::measure(const scene::Orders& orders) {
  if (!worker_met_ || program_due_) {
    return;
  }
  const Gpu* chosen = scene::gpu(state_);
  if (scene::mode(state_) == scene::Mode::live) {
    session_.request(*orders.measure);
    session_.prepare(orders.prepare);
  } else if (chosen && state_.session.compiles) {
    session_.compile(*orders.measure, *chosen);
  }
}

void Conductor::save_best(const scene::Orders& orders) {
  const Point& best = *scene::best_launch(state_);
  const Manifest& manifest = scene::kernel(state_);
  const auto file = free_name(orders.save_constants ? "hpp" : "json");
  if (orders.save_constants) {
    platform::write_file(file, constants_header(manifest, best), platform::constants_kind);
  } else {
    platform::write_file(file, winner_json(manifest, best), platform::winner_kind);
  }
  tell(Message::Kind::done, "Saved " + file.string());
}

void Conductor::save(const std::filesystem::path& file) {
  const std::filesystem::path table = platform::points_file_beside(file);
  platform::save_session(session_.log(), file);
  platform::save_points(session_.log(), table);
  tell(Message::Kind::done, fmt::format("Saved {} and {}", file.string(), table.filename().string()));
}

}  // namespace rooftile::conductor
