// Requests of the state are passed to the session, or written to files.
#include <fmt/format.h>

#include <utility>
#include <variant>

#include "analysis/exchange/winner.hpp"
#include "analysis/platform/platform.hpp"
#include "analysis/platform/session_files.hpp"
#include "analysis/platform/write_file.hpp"
#include "analysis/text/error.hpp"
#include "app/conductor/conductor.hpp"
#include "app/conductor/page_file.hpp"
#include "app/scene/access/picture_page.hpp"
#include "app/scene/actions/refresh.hpp"
#include "app/scene/lesson/lesson_play.hpp"
#include "app/scene/picture/svg_page.hpp"
#include "app/scene/state/best_launch.hpp"

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

}  // namespace

std::optional<std::filesystem::path> Conductor::apply(const scene::Actions& actions) {
  if (actions.empty()) {
    return std::nullopt;
  }
  try {
    carry_out(scene::apply(state_, actions));
  } catch (const Error& error) {
    tell(Message::Kind::wrong, error.what());
  }
  return std::exchange(picture_, std::nullopt);
}

void Conductor::follow(const scene::Requests& requests) {
  scene::refresh(state_);
  carry_out(requests);
}

void Conductor::carry_out(const scene::Requests& requests) {
  for (const scene::Request& request : requests) {
    std::visit([this](const auto& each) { carry_out(each); }, request);
  }
  view_progress();
}

// Until the worker has introduced itself nobody knows where to measure; meet_worker() then asks.
void Conductor::carry_out(const scene::MeasurePlace& request) {
  if (!worker_met_ || program_due_) {
    return;
  }
  const Gpu* chosen = scene::gpu(state_);
  if (scene::mode(state_) == scene::Mode::live) {
    session_.request(request.configuration);
    session_.prepare(request.next);
  } else if (chosen && state_.known.session.compiles) {
    session_.compile(request.configuration, *chosen);
  }
}

void Conductor::carry_out(const scene::CountLinesOf& request) {
  session_.profile(request.configuration);
}
void Conductor::carry_out(const scene::MeasureRoofs&) {
  session_.measure_roofs(Work::roofs_again);
}

void Conductor::carry_out(const scene::Sweep& request) {
  const auto ahead = request.compile_ahead ? Session::Ahead::yes : Session::Ahead::no;
  state_.known.session.swept = session_.sweep(request.configurations, ahead);
}

// Waits behind any request from the dials, like the launches of a sweep.
void Conductor::carry_out(const scene::SearchOn& request) {
  state_.known.search->waits_for = session_.sweep({request.configuration}, Session::Ahead::no).front();
}

void Conductor::carry_out(const scene::CancelSweep&) {
  session_.cancel_sweep();
}
void Conductor::carry_out(const scene::PauseSweep&) {
  session_.pause_sweep(!session_.sweep_paused());
}
void Conductor::carry_out(const scene::WaitLonger&) {
  session_.wait_longer();
}
void Conductor::carry_out(const scene::StopLaunch&) {
  session_.stop_launch();
}

// The GPU that stood in for the missing one was nobody's choice.
// A launch under way is asked of the other GPU.
void Conductor::carry_out(const scene::UseDevice& request) {
  session_.use_device(request.index);
}

void Conductor::carry_out(const scene::StartWorker&) {
  session_.start_again();
  worker_met_ = false;
  started_by_hand_ = true;
}

void Conductor::carry_out(const scene::RunProgram&) {
  program_due_ = true;
}
void Conductor::carry_out(const scene::EndProgram&) {
  if (program_) {
    program_->tell_to_end();
  }
}
void Conductor::carry_out(const scene::CaptureLaunch& request) {
  capture_due_ = request;
  program_due_ = true;
}

void Conductor::carry_out(const scene::ReadKernel& request) {
  read_source(state_.view.question->source, request.name);
}

// One more of the kernels of a source.
void Conductor::carry_out(const scene::AskForKernelOf& request) {
  asks_for_kernel_of_ = request.source;
  read_source(request.source, "");
}

void Conductor::carry_out(const scene::SaveManifest& request) {
  save_manifest(request.edit);
}

void Conductor::carry_out(const scene::SaveNote& request) {
  session_.keep(request.note);
  view_session();
  scene::refresh(state_);
}

void Conductor::carry_out(const scene::SaveConstants&) {
  const std::string header = constants_header(scene::kernel(state_), *scene::best_launch(state_));
  save(free_name("hpp"), header, platform::constants_kind);
}

void Conductor::carry_out(const scene::SaveWinner&) {
  const std::string winner = winner_json(scene::kernel(state_), *scene::best_launch(state_));
  save(free_name("json"), winner, platform::winner_kind);
}

void Conductor::carry_out(const scene::ExportPicture&) {
  picture_ = free_name("png");
}

void Conductor::carry_out(const scene::ExportDrawing&) {
  save(free_name("svg"), scene::picture_page(state_), scene::svg_kind);
}

void Conductor::carry_out(const scene::ExportSession&) {
  const std::filesystem::path file = free_name("jsonl"), table = platform::points_file_beside(file);
  platform::save_session(session_.log(), file);
  platform::save_points(session_.log(), table);
  tell(Message::Kind::done, fmt::format("Saved {} and {}", file.string(), table.filename().string()));
}

// A page opens with the notes of its session by itself.
void Conductor::carry_out(const scene::ExportPage&) {
  const scene::Lesson* played = scene::played_lesson(state_);
  const auto lesson = played && !played->file_text.empty()
                          ? std::optional(PageLesson{played->id + ".md", played->file_text})
                          : std::nullopt;
  const std::string name = wanted_.session.value_or(recording_.value_or("")).filename().string();
  save(free_name("html"), page_text(session_.log(), name, lesson), page_kind);
}

void Conductor::carry_out(const scene::ShowLicences&) {
  const std::filesystem::path file = platform::data_directory() / "assets/licences.txt";
  tell(Message::Kind::done,
       std::filesystem::exists(file)
           ? fmt::format("rooftile has the MIT licence. Those of the libraries it carries: {}", file.string())
           : "rooftile has the MIT licence, and carries no libraries: /usr/share/doc has the licences of those "
             "it uses.");
}

void Conductor::save(const std::filesystem::path& file, const std::string& text,
                     const platform::FileKind& kind) {
  platform::write_file(file, text, kind);
  tell(Message::Kind::done, "Saved " + file.string());
}

}  // namespace rooftile::conductor
