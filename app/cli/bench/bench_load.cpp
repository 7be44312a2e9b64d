// rooftile-cli bench load SESSION: how long a session takes to read, and how long the window stands still for
// it.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "analysis/platform/session_files.hpp"
#include "analysis/text/format.hpp"
#include "app/cli/bench/bench.hpp"
#include "app/cli/shared/output.hpp"
#include "app/conductor/conductor.hpp"

namespace rooftile::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

Seconds since(Clock::time_point start) {
  return {std::chrono::duration<double>(Clock::now() - start).count()};
}

struct Loading {
  std::size_t points = 0;
  Seconds read;
  Seconds opened;    // until the window's first frame
  Seconds shown;     // until it shows all of the session, if drawing took no time
  Seconds standing;  // the longest time between two of its frames
};

// The window's own loop without drawing, and without a worker.
void show(const fs::path& file, Loading& loading) {
  conductor::CommandLine wanted;
  wanted.session = file;
  wanted.worker = {"no-worker"};
  const auto start = Clock::now();
  conductor::Conductor window(wanted, scene::Settings{}, std::nullopt);
  loading.opened = since(start);
  while (window.state().known.session.starting) {
    const auto frame = Clock::now();
    window.news(since(start).value);
    loading.standing.value = std::max(loading.standing.value, since(frame).value);
  }
  loading.shown = since(start);
}

Loading load(const fs::path& file) {
  Loading loading;
  const auto start = Clock::now();
  loading.points = platform::load_session(file).points.size();
  loading.read = since(start);
  show(file, loading);
  return loading;
}

int bench(const Options& options, const fs::path& file) {
  const Loading loading = load(file);
  const double points = static_cast<double>(loading.points);
  const double rate = points / loading.read.value;
  if (options.json) {
    say_json(nlohmann::json{{"points", loading.points},
                            {"bytes", fs::file_size(file)},
                            {"read_s", loading.read.value},
                            {"points_per_s", rate},
                            {"opened_s", loading.opened.value},
                            {"shown_s", loading.shown.value},
                            {"longest_standstill_s", loading.standing.value}});
    return success;
  }
  say("{} points, {} in {}: {} points/s.\n"
      "The window opens after {}, shows all of them after {} and stands still for {} at most.\n",
      count(points), text(Bytes{static_cast<double>(fs::file_size(file))}), text(loading.read), count(rate),
      text(loading.opened), text(loading.shown), text(loading.standing));
  return success;
}

}  // namespace

void add_bench_load(CLI::App& group, const Options& options, int& status) {
  auto file = std::make_shared<fs::path>();
  auto* verb = group.add_subcommand("load", "How long a session takes to read");
  verb->add_option("SESSION", *file, "A session file")->required()->check(CLI::ExistingFile);
  verb->callback([&options, &status, file] { status = bench(options, *file); });
}

}  // namespace rooftile::cli
