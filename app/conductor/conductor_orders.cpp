// What the user asked for becomes requests to the session, or files.
#include <fmt/format.h>

#include "analysis/exchange/winner.hpp"
#include "analysis/platform/session_files.hpp"
#include "analysis/platform/write_file.hpp"
#include "analysis/text/error.hpp"
#include "app/conductor/conductor.hpp"
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
    state_.known.session.swept =
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
  } else if (chosen && state_.known.session.compiles) {
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

// Behind any request of a hand at the dials, as the launches of a sweep.
void Conductor::search(const Configuration& configuration) {
  state_.known.search->waits_for = session_.sweep({configuration}, Session::Ahead::no).front();
  view_progress();
}

// The GPU that stood in for the missing one was nobody's choice.
void Conductor::start_worker_again() {
  session_.start_again();
  worker_met_ = false;
  started_by_hand_ = true;
}

}  // namespace rooftile::conductor
