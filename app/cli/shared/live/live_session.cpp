#include "app/cli/shared/live/live_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "analysis/platform/platform.hpp"
#include "analysis/text/format.hpp"
#include "app/cli/shared/live/progress_line.hpp"
#include "app/cli/shared/output.hpp"
#include "app/scene/state/app_state.hpp"
#include "app/session/worker/worker_command.hpp"

namespace rooftile::cli {
namespace {

using namespace std::chrono_literals;

std::string describe(const Progress& progress, std::optional<Seconds> left) {
  return fmt::format("{}/{}  {}{}", progress.done, progress.total, progress.what,
                     left ? fmt::format("  {} left", text(*left)) : "");
}

std::string describe(const Session::Silence& silence) {
  return fmt::format("waiting for the launch: {:.0f} s, stopped in {:.0f} s", std::floor(silence.so_far.value),
                     std::floor(silence.left.value));
}

void tell_of_journal(Session& session) {
  if (const auto trouble = session.take_journal_trouble()) {
    remark("rooftile-cli: {}\n", *trouble);
  }
}

}  // namespace

std::chrono::milliseconds launch_limit(const Options& options) {
  return std::chrono::milliseconds(std::llround(1e3 * options.launch_limit_s));
}

namespace {

SessionOptions session_options(const Options& options, const std::filesystem::path& journal) {
  SessionOptions live;
  live.over_network = !options.on.empty();
  live.worker = live.over_network ? command_on(options.on) : split_command(options.worker);
  live.device = options.device;
  live.kernel_folders = options.kernel_folders;
  live.journal = journal;
  live.launch_limit = launch_limit(options);
  return live;
}

}  // namespace

Session start(const Options& options, const std::filesystem::path& journal, platform::Existing existing) {
  SessionOptions live = session_options(options, journal);
  live.existing_journal = existing;
  return Session(live);
}

Session resumed(const Options& options, const std::filesystem::path& journal) {
  SessionOptions live = session_options(options, journal);
  live.recording = journal;
  return Session(live);
}

void wait_until_started(Session& session) {
  for (ProgressLine line; session.starting();) {
    session.wait(100ms);
    session.poll();
    if (const auto silence = session.silence(); silence && silence->so_far.value >= scene::long_wait.value) {
      line.show(fmt::format("waiting for the worker: {:.0f} s", std::floor(silence->so_far.value)));
    }
  }
  tell_of_journal(session);
}

std::optional<Session> live_on(const Options& options, const std::string& gpu) {
  Session session = start(options);
  wait_until_started(session);
  const bool meant = gpu.empty() || session.log().find_gpu(gpu) != nullptr;
  return session.device() && meant ? std::optional(std::move(session)) : std::nullopt;
}

void wait_until_idle(Session& session) {
  for (ProgressLine line; session.busy();) {
    session.send();
    session.wait(100ms);
    session.poll();
    if (const auto silence = session.silence(); silence && silence->so_far.value >= scene::long_wait.value) {
      line.show(describe(*silence));
    } else if (const auto progress = session.progress()) {
      line.show(describe(*progress, session.time_left()));
    }
  }
  tell_of_journal(session);
}

void expect_device(const Session& session) {
  if (session.device()) {
    return;
  }
  std::string why = "There is no device to measure on.";
  for (const auto& facility : session.facilities()) {
    if (facility.state != Facility::State::ready) {
      why += fmt::format("\n  {}: {} {}", facility.name, facility.sentence, facility.fix);
    }
  }
  throw Error(why);
}

Point ask(Session& session, const Configuration& configuration) {
  return answer_to(session, session.request(configuration));
}

Point answer_to(Session& session, std::uint64_t id) {
  wait_until_idle(session);
  const auto& points = session.log().points;
  const auto answer =
      std::find_if(points.rbegin(), points.rend(), [&](const Point& point) { return point.id == id; });
  if (answer == points.rend()) {
    throw Error(session.last_error().value_or("The worker gave no answer."));
  }
  return *answer;
}

}  // namespace rooftile::cli
