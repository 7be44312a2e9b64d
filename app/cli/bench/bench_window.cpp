// rooftile-cli bench window: the window's first frame, its work on a frame of a long session, and at rest.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <random>

#include "analysis/platform/platform.hpp"
#include "analysis/platform/run_program.hpp"
#include "analysis/platform/session_files.hpp"
#include "analysis/platform/text_file.hpp"
#include "analysis/text/format.hpp"
#include "app/cli/bench/bench.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/shared/report_source.hpp"

namespace rooftile::cli {
namespace {

namespace fs = std::filesystem;

struct WindowTimes {
  Seconds first_frame;  // since the program was started
  Seconds work;         // median of a frame, without drawing
  double rest = 0;      // share of a core
};

WindowTimes times_of(const fs::path& folder, const std::vector<std::string>& arguments) {
  const fs::path file = folder / "times.json";
  std::vector<std::string> command = {(platform::executable_directory() / "rooftile").string(), "--times",
                                      file.string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  platform::expect_program(command);
  const std::chrono::duration<double> start = std::chrono::steady_clock::now().time_since_epoch();
  const platform::ProgramEnd end =
      platform::run_program(command, {}, platform::ProgramOutput::to_standard_error);
  const auto text = platform::read_text(file);
  if (end.status != 0 || !text) {
    throw Error(fmt::format("The window ended with status {} and told no times.", end.status));
  }
  const auto told = nlohmann::json::parse(*text);
  return {{told.at("first_frame_at_s").get<double>() - start.count()},
          {told.at("work_s").get<double>()},
          told.at("rest_share").get<double>()};
}

// The median of each.
WindowTimes usual_times(const fs::path& folder, std::size_t runs) {
  std::vector<WindowTimes> all(runs);
  std::ranges::generate(all, [&] { return times_of(folder, {}); });
  const auto median = [&](auto value) {
    std::ranges::nth_element(all, all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), {}, value);
    return value(all[all.size() / 2]);
  };
  return {{median([](const WindowTimes& each) { return each.first_frame.value; })},
          {median([](const WindowTimes& each) { return each.work.value; })},
          median([](const WindowTimes& each) { return each.rest; })};
}

// Recorded launches of one kernel, again and again at other times.
SessionLog long_session(std::size_t points) {
  const SessionLog recorded = session_in(recorded_session());
  std::vector<const Point*> some;
  for (const Point& point : recorded.points) {
    if (point.kernel == "sgemm_tiled" && point.timing && point.gpu == recorded.devices.front().gpu.name) {
      some.push_back(&point);
    }
  }
  SessionLog log;
  log.header = recorded.header;
  log.devices = {recorded.devices.front()};
  log.roofs = recorded.roofs;
  std::minstd_rand random;
  for (std::size_t i = 0; i < points && !some.empty(); ++i) {
    Point point = *some[i % some.size()];
    point.id = i + 1;
    point.timing->median.value *= std::uniform_real_distribution(1.0, 40.0)(random);
    log.add(std::move(point));
  }
  return log;
}

int bench(const Options& options, std::size_t runs, std::size_t points) {
  const platform::TemporaryFolder folder;
  const fs::path session = folder.path() / "long.jsonl";
  platform::save_session(long_session(points), session);
  const WindowTimes usual = usual_times(folder.path(), runs);
  const Seconds work = times_of(folder.path(), {session.string()}).work;
  if (options.json) {
    say_json(nlohmann::json{{"first_frame_s", usual.first_frame.value},
                            {"points", points},
                            {"frame_work_s", work.value},
                            {"rest_share", usual.rest}});
    return success;
  }
  say("The first frame stands {} after the start, the median of {}.\n"
      "A frame of a session of {} launches is {} of our own work.\n"
      "At rest the window takes {} of a core.\n",
      text(usual.first_frame), runs, count(static_cast<double>(points)), text(work), percent(usual.rest));
  return success;
}

}  // namespace

void add_bench_window(CLI::App& group, const Options& options, int& status) {
  auto runs = std::make_shared<std::size_t>(3);
  auto points = std::make_shared<std::size_t>(10'000);
  auto* verb =
      group.add_subcommand("window", "The window's first frame, its frames of a long session, and its rest");
  verb->add_option("--runs", *runs, "How often it is opened")->check(CLI::PositiveNumber);
  verb->add_option("--points", *points, "Launches of the session")->check(CLI::PositiveNumber);
  verb->callback([&options, &status, runs, points] { status = bench(options, *runs, *points); });
}

}  // namespace rooftile::cli
