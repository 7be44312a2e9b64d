// Kernels of the user's own: sources that are opened and saved, and their kernel.toml.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/platform/catalogue_files.hpp"
#include "analysis/source/launch/written_launch.hpp"
#include "analysis/text/error.hpp"
#include "app/conductor/conductor.hpp"
#include "app/conductor/first_state.hpp"
#include "app/scene/access/launch_steps.hpp"
#include "app/scene/actions/dialling.hpp"
#include "app/scene/actions/edit_launch.hpp"
#include "app/scene/actions/follow_log.hpp"
#include "app/scene/actions/refresh.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/verdict/saved_change.hpp"

namespace rooftile::conductor {

using scene::Message;

// A kernel whose source was saved, perhaps while another one was on the screen, is compiled and launched again
// where its dials stand.
bool Conductor::follow_source(double now) {
  const Manifest& kernel = scene::kernel(state_);
  const FileChange change = source_.look(kernel.source, now);
  std::string text = change == FileChange::none ? "" : source_text(kernel.source);
  if (text.empty() || (change == FileChange::another && text == state_.known.sources[kernel.name])) {
    return false;
  }
  const Point* shown = scene::current_point(state_);
  before_save_ = shown && shown->kernel == kernel.name && shown->timing ? std::optional(*shown) : std::nullopt;
  scene::use_source(state_, kernel.name, std::move(text));
  tell(Message::Kind::done, kernel.source.filename().string() + " was saved: it is compiled again.");
  if (!wanted_.on.empty()) {
    session_.use_kernels(wanted_.kernel_folders);  // sends it there
  }
  follow(scene::measure_again(state_));
  return true;
}

// The launch of the saved source is compared with the one before at the same dials, if it is right.
bool Conductor::tell_what_was_changed() {
  const Point* now = before_save_ ? scene::current_point(state_) : nullptr;
  const bool is_other = now && now->id != before_save_->id && now->final && now->timing;
  if (!is_other) {
    return false;
  }
  const Point before = *std::exchange(before_save_, std::nullopt);
  const bool is_right = !now->failure && (!now->verification || now->verification->passed);
  if (!is_right || now->kernel != before.kernel || now->parameters != before.parameters ||
      now->caches != before.caches) {
    return false;
  }
  tell(Message::Kind::done, fmt::format("{} was saved: {}.", scene::kernel(state_).source.filename().string(),
                                        scene::what_was_changed(before, *now)));
  return true;
}

// A kernel.toml that another program saved is read again; one with a mistake changes nothing.
bool Conductor::follow_manifest(double now) {
  const std::filesystem::path file = scene::kernel(state_).file;
  const auto known = state_.known.manifests.find(state_.choice.kernel);
  if (known == state_.known.manifests.end() || manifest_.look(file, now) == FileChange::none ||
      source_text(file) == known->second) {
    return false;
  }
  try {
    platform::load_manifest(file);
    read_kernels_again();
    tell(Message::Kind::done, file.string() + " was saved: it is read again.");
    follow(scene::measure_again(state_));
  } catch (const Error& error) {
    tell(Message::Kind::wrong, error.what());
  }
  return true;
}

void Conductor::open_source(const std::filesystem::path& source) {
  if (const auto made = made_kernels(source); !made.empty()) {
    return take_kernel(source, made.front());
  }
  read_source(source, "");
}

// wanted: one of its kernels; empty: its only one.
void Conductor::read_source(const std::filesystem::path& source, const std::string& wanted) {
  readings_.push_back(
      std::make_unique<SourceReading>(wanted_.worker, source, wanted, usual_launch_limit, wanted_.given));
  tell(Message::Kind::done, fmt::format("The compiler reads {}.", source.filename().string()));
}

// One after the other, as they were dropped.
bool Conductor::follow_readings() {
  if (readings_.empty() || !readings_.front()->done()) {
    return false;
  }
  const auto reading = std::move(readings_.front());
  readings_.pop_front();
  const std::filesystem::path& source = reading->source();
  const bool asks = asks_for_kernel_of_ == source && !reading->is_of_named();
  if (asks) {
    asks_for_kernel_of_.reset();
  }
  try {
    const SourceKernel kernel = reading->kernel();
    if (asks) {
      ask_which(source, {kernel.name});
      return true;
    }
    take_kernel(source, make_kernel(kernel, source, reading->is_of_named() ? Named::yes : Named::no));
    if (is_asked_about(reading->source())) {
      state_.view.question.reset();
    }
    scene::show_panel(state_.view, scene::Panel::launch);
    scene::refresh(state_);
  } catch (const KernelNotNamed& several) {
    ask_which(source, several.names);
  } catch (const Error& error) {
    tell_of_reading(*reading, error.what());
  }
  return true;
}

// Reads the code of kernels that state no work, and the steps of pictures that are open; begins with the next
// place once one is read.
bool Conductor::follow_code() {
  const auto read = code_.take();
  if (read) {
    std::visit([&](const auto& answer) { scene::use_code(state_, read->first, answer); }, read->second);
    scene::refresh(state_);
  }
  if (!code_.busy()) {
    if (const auto next = scene::next_to_read(state_)) {
      code_.begin(*next, wanted_.kernel_folders);
    }
  }
  return read.has_value();
}

// The compiler does not know of templates.
void Conductor::ask_which(const std::filesystem::path& source, std::vector<std::string> names) {
  for (const std::string& instance : instances_to_offer(source_text(source))) {
    if (std::ranges::find(names, instance) == names.end()) {
      names.push_back(instance);
    }
  }
  state_.view.message.reset();
  const std::string first = names.front();
  state_.view.question = scene::KernelQuestion{source, std::move(names), first, ""};
}

bool Conductor::is_asked_about(const std::filesystem::path& source) const {
  return state_.view.question && state_.view.question->source == source;
}

// A wrong answer to the question is told beside the question.
void Conductor::tell_of_reading(const SourceReading& reading, const std::string& sentence) {
  if (is_asked_about(reading.source())) {
    state_.view.message.reset();
    state_.view.question->wrong = sentence;
  } else {
    tell(Message::Kind::wrong, sentence);
  }
}

// The first source of the command line is what the window was opened for: its dials are set as the command
// line says, unless the user has chosen something meanwhile.
void Conductor::take_kernel(const std::filesystem::path& source, const OwnKernel& own) {
  if (std::ranges::find(wanted_.kernel_folders, own.folder) == wanted_.kernel_folders.end()) {
    wanted_.kernel_folders.push_back(own.folder);
  }
  read_kernels_again();
  if (wanted_.sources.empty() || source != wanted_.sources.front() || !state_.older_choices.empty()) {
    return follow(scene::select_kernel(state_, own.name));
  }
  wanted_.kernel = own.name;
  start();
}

// The worker reads the kernels again too.
void Conductor::read_kernels_again() {
  load_kernels(state_, wanted_.kernel_folders);
  session_.use_kernels(wanted_.kernel_folders);
  view_session();
}

// Does not overwrite what another program wrote there meanwhile.
void Conductor::save_manifest(const scene::ManifestEdit& edit) {
  if (source_text(edit.file) != edit.before) {
    throw Error(
        fmt::format("{} was changed by another program, so nothing was saved. Your changes stay in the form.",
                    edit.file.string()));
  }
  platform::write_file(edit.file, edit.after, platform::any_kind);
  scene::forget_edits(state_, edit.kernel);
  read_kernels_again();
  tell(Message::Kind::done, "Saved " + edit.file.string());
  follow(scene::measure_again(state_));
}

}  // namespace rooftile::conductor
