// A program of the command line beside the window: its start, its kernels, its end.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <thread>
#include <utility>

#include "analysis/text/error.hpp"
#include "app/conductor/conductor.hpp"
#include "app/conductor/first_state.hpp"
#include "app/scene/actions/dialling.hpp"
#include "app/scene/actions/follow_program.hpp"
#include "app/scene/actions/reconcile.hpp"
#include "app/scene/actions/refresh.hpp"
#include "app/scene/program/program_words.hpp"

namespace rooftile::conductor {

using scene::Message;

// Missing roofs are measured before the program starts, because the program has the device to itself.
void Conductor::meet_worker_beside_program() {
  view_session();
  if (session_.device()) {
    scene::choose_gpu(state_);
  }
  if (program_due_) {
    session_.measure_roofs(Work::roofs);
  }
  follow(scene::measure_again(state_));  // where a kernel with dials is looked at
}

bool Conductor::follow_program() {
  if (program_due_ && worker_met_ && !session_.busy()) {
    start_program();
    return true;
  }
  const std::size_t told = program_ ? program_->troubles().size() : 0;
  if (!program_ || !program_->follow(session_)) {
    return false;
  }
  state_.known.session.program = program_->view();
  view_session();
  if (!program_->view().capture) {
    scene::follow_program(state_);
  }
  if (program_->troubles().size() > told) {
    tell(Message::Kind::wrong, fmt::format("{}", fmt::join(program_->troubles(), "   ")));
  }
  if (program_->view().end) {
    end_program();
  }
  scene::refresh(state_);
  return true;
}

// A program that cannot be started ends the window; nothing was shown yet.
void Conductor::start_program() {
  program_due_ = false;
  leave_device();
  try {
    program_ = begin_run();
    state_.known.session.program = program_->view();
    state_.view.program_follow.launch = state_.choice.selected;
  } catch (const Error& error) {
    if (!program_) {
      throw;
    }
    tell(Message::Kind::wrong, error.what());
    session_.leave_device(false);
  }
  view_session();
  scene::refresh(state_);
}

std::unique_ptr<ProgramRun> Conductor::begin_run() {
  if (const auto capture = std::exchange(capture_due_, std::nullopt)) {
    auto run = std::make_unique<ProgramRun>(wanted_.program, capture->kernel, capture->shape);
    counted_ = state_.known.session.program;
    return run;
  }
  return std::make_unique<ProgramRun>(wanted_.program, wanted_.profile, state_.known.gpus);
}

// The program has the device to itself. Ctrl-C, which is for the program, does not end the worker.
void Conductor::leave_device() {
  const platform::InterruptsIgnored by_the_worker;
  session_.leave_device(true);
  worker_met_ = false;
}

// The device is free again. A program without kernels leaves the window as if there had been none.
void Conductor::end_program() {
  if (const auto captured = program_->take_captured()) {
    open_captured(*captured);
  } else if (program_->view().totals.launches == 0) {
    scene::forget_program(state_);
    tell(Message::Kind::wrong,
         fmt::format("{}   {}", scene::program_line(program_->view()), fmt::join(program_->troubles(), "   ")));
    state_.known.session.program.reset();
  }
  session_.leave_device(false);
  worker_met_ = false;
}

// A captured launch is a kernel like any other, on the program's own data.
void Conductor::open_captured(CaptureFolder& captured) {
  state_.known.session.program = std::exchange(counted_, std::nullopt);
  try {
    if (const auto launch = captured.take(false)) {
      const std::string& lacks = program_->view().capture->lacks;
      take_kernel(captured.place(), {captured.place(), launch->name});
      tell(Message::Kind::done, fmt::format("{}: {}{}{}", what_was_captured(*launch), captured.place().string(),
                                            lacks.empty() ? "" : "\n", lacks));
      if (const auto source = source_named(captured.place())) {
        sourced_.emplace(captured.place(),
                         std::make_unique<SourceReading>(wanted_.worker, *source, name_in_source(*launch),
                                                         usual_launch_limit, wanted_.given));
      }
    } else {
      tell(Message::Kind::wrong, fmt::format("{} is not captured. {}", program_->view().capture->kernel,
                                             fmt::join(program_->troubles(), "   ")));
    }
  } catch (const Error& error) {
    tell(Message::Kind::wrong, error.what());
  }
}

// A program that was compiled with -lineinfo names its source: then the launch has the dials of that.
bool Conductor::follow_sourced() {
  if (!sourced_ || !sourced_->second->done()) {
    return false;
  }
  const auto [place, reading] = *std::exchange(sourced_, std::nullopt);
  const std::string source = reading->source().filename().string();
  try {
    give_source(place, reading->kernel(), reading->source());
    read_kernels_again();
    tell(Message::Kind::done, fmt::format("{} compiles {} from now on.", place.filename().string(), source));
    follow(scene::measure_again(state_));
  } catch (const Error& error) {
    tell(Message::Kind::wrong, fmt::format("{} stays as the program compiled it, without the dials of {}. {}",
                                           place.filename().string(), source, error.what()));
  }
  return true;
}

bool Conductor::program_runs() const {
  return program_ && program_->view().runs();
}

int Conductor::wait_for_program() {
  while (program_runs()) {
    program_->follow(session_);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return program_ ? program_->view().end->status : 0;
}

}  // namespace rooftile::conductor
