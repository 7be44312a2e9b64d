#include "app/conductor/conductor.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/text/error.hpp"
#include "app/conductor/first_state.hpp"
#include "app/scene/actions/continue_search.hpp"
#include "app/scene/actions/dialling.hpp"
#include "app/scene/actions/follow_log.hpp"
#include "app/scene/actions/follow_program.hpp"
#include "app/scene/actions/reconcile.hpp"
#include "app/scene/actions/refresh.hpp"
#include "app/scene/actions/teaching.hpp"
#include "app/scene/actions/visits.hpp"
#include "app/session/worker/worker_command.hpp"

namespace rooftile::conductor {
namespace {

using scene::Message;

SessionOptions session_options(const CommandLine& wanted) {
  SessionOptions options;
  options.over_network = !wanted.on.empty();
  options.worker = options.over_network ? command_on(wanted.on) : wanted.worker;
  options.device = wanted.device;
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
      code_(wanted.worker),
      program_due_(!wanted.program.empty()) {
  begin();
  if (program_due_) {
    scene::await_program(state_, program_name(wanted.program));
    scene::refresh(state_);
  }
}

// Beside a source --kernel is one of its kernels.
void Conductor::begin() {
  const std::string of_source = wanted_.sources.empty() ? "" : std::exchange(wanted_.kernel, {}).value_or("");
  view_session();
  start();
  for (const std::filesystem::path& source : wanted_.sources) {
    if (source == wanted_.sources.front() && !of_source.empty() && is_source(source)) {
      read_source(source, of_source);
    } else {
      open(source);
    }
  }
  if (wanted_.lesson) {
    open(*std::exchange(wanted_.lesson, std::nullopt));
  }
  if (!state_.known.mistakes.empty()) {
    tell(Message::Kind::wrong, fmt::format("{}", fmt::join(state_.known.mistakes, "   ")));
  }
  if (!session_.reading()) {
    follow(scene::open_notes(state_));
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
  choose_first(wanted_, state_);
  if (!wanted_.beside.empty()) {
    scene::compare_with(state_, scene::other_gpu(state_));
  }
  follow(scene::measure_again(state_));
  state_.older_choices.clear();
  state_.view.motion.reset();
}

bool Conductor::news(double now) {
  bool changed = scene::pass_time(state_, now);
  changed = listen() || changed;
  changed = wait_goes_on() || changed;
  changed = map_goes_on() || changed;
  changed = scene::play_steps(state_) || changed;
  changed = follow_source(now) || changed;
  changed = tell_what_was_changed() || changed;
  changed = follow_manifest(now) || changed;
  changed = follow_readings() || changed;
  changed = follow_sourced() || changed;
  changed = follow_code() || changed;
  changed = follow_program() || changed;
  if (!worker_met_ && !session_.starting()) {
    worker_met_ = true;
    meet_worker();
    changed = true;
  }
  return changed;
}

// The derived state is refreshed, but not for each piece of a long recording.
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
  continue_search();
  scene::refresh(state_);
  return true;
}

// All of it is read.
void Conductor::meet_recording() {
  begin_anew();
  follow(scene::open_notes(state_));
  tell_left_out();
}

// It is known now what the worker can do.
void Conductor::meet_worker() {
  if (state_.known.session.program) {
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

// Keeps what the user has chosen meanwhile.
void Conductor::begin_anew() {
  if (state_.older_choices.empty()) {
    state_.choice = {};
    start();
    return;
  }
  scene::choose_gpu(state_);
  scene::settle_on_recording(state_);
  scene::fit_axes(state_);
  follow(scene::measure_again(state_));
}

// Tells of a device that was asked for and is missing, so that nobody wonders where the figures come from.
void Conductor::show_recording() {
  const bool device_asked_for =
      wanted_.live || !wanted_.worker.empty() || !wanted_.on.empty() || wanted_.device;
  if (recording_ && !wanted_.live && wanted_.sources.empty()) {  // there is no recording of a source
    session_.read_recording(*recording_);
    tell_left_out();
  }
  const bool hides_an_error = state_.view.message && state_.view.message->kind == Message::Kind::wrong;
  if (device_asked_for && !hides_an_error) {
    tell(Message::Kind::wrong, why_no_device(session_));
  }
}

void Conductor::view_session() {
  scene::SessionView& view = state_.known.session;
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
  state_.known.session.busy = session_.busy();
  state_.known.session.compilers = Session::compilers();
  state_.known.session.progress = session_.progress();
  state_.known.session.time_left = session_.time_left();
  const auto silence = session_.silence();
  state_.known.session.waited = silence ? std::optional(silence->so_far) : std::nullopt;
  state_.known.session.gives_up_in = silence ? std::optional(silence->left) : std::nullopt;
  state_.known.session.worker_given_up = session_.given_up();
  state_.known.session.sweep_paused = session_.sweep_paused();
  if (state_.known.search && state_.known.search->goes_on()) {
    state_.known.session.progress =
        Progress{"the best", static_cast<int>(state_.known.search->search.tries().size()),
                 static_cast<int>(state_.known.search->search.limits().launches)};
    state_.known.session.time_left.reset();
  }
}

void Conductor::continue_search() {
  if (const auto next = scene::continue_search(state_)) {
    carry_out({scene::SearchOn{*next}});
  }
}

void Conductor::open(const std::filesystem::path& file) {
  try {
    if (file.extension() == ".jsonl") {
      open_session(file);
    } else if (is_source(file)) {
      open_source(file);
    } else if (file.extension() == ".md") {
      follow(scene::open_lesson(state_, use_lesson(state_, file)));
    } else if (const std::string why = why_no_source(file); !why.empty()) {
      throw Error(why);
    } else {
      throw Error(fmt::format("{} is no session, CUDA source or lesson: drop a .jsonl, .cu, .cuh or .md file.",
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
  wanted.sources.clear();
  wanted.program.clear();
  session_.release_journal();
  session_ = Session(session_options(wanted));
  wanted_ = std::move(wanted);
  state_ = without_session(std::move(state_));
  reported_.reset();
  worker_met_ = started_by_hand_ = false;
  begin();
}

// A wait of some seconds is counted down.
bool Conductor::wait_goes_on() {
  const auto shown = state_.known.session.waited;
  view_progress();
  const auto& waited = state_.known.session.waited;
  return waited && waited->value >= scene::long_wait.value &&
         (!shown || std::floor(shown->value) != std::floor(waited->value));
}

// The predictions that the last frame had no time for.
bool Conductor::map_goes_on() {
  if (!state_.derived.shown.landscape.unfinished) {
    return false;
  }
  scene::refresh_look(state_);
  return true;
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
  if (state_.view.presentation) {
    settings.scale = state_.view.presentation->scale_before;
  }
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
  return worker_met_ && readings_.empty() && !sourced_ && !code_.busy() && !session_.busy() &&
         !state_.view.motion && !state_.view.steps.playing && !state_.derived.shown.landscape.unfinished;
}

}  // namespace rooftile::conductor
