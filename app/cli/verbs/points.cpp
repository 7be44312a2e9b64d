// rooftile-cli points SESSION [KERNEL] [--gpu GPU] [--csv | --t4]
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/exchange/points_csv.hpp"
#include "analysis/exchange/tuner_file.hpp"
#include "app/cli/shared/catalogue.hpp"
#include "app/cli/shared/code_models.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/shared/report_source.hpp"
#include "app/cli/tables/launch_advice.hpp"
#include "app/cli/tables/launch_output.hpp"
#include "app/cli/tables/points_table.hpp"
#include "app/cli/verbs.hpp"

namespace rooftile::cli {
namespace {

struct PointsQuestion {
  std::filesystem::path session;
  std::string kernel, gpu;  // empty: all
  bool csv = false, t4 = false;
};

nlohmann::json points_json(const std::vector<LaunchReport>& points) {
  nlohmann::json all = {{"points", nlohmann::json::array()}};
  for (const LaunchReport& found : points) {
    all["points"].push_back(json_of(found));
  }
  return all;
}

// The launches that were asked for.
SessionLog chosen(SessionLog log, const PointsQuestion& asked) {
  const std::string gpu = asked.gpu.empty() ? "" : gpu_of(log, asked.gpu).name;
  PointList all;
  std::swap(all, log.points);
  for (const Point& point : all) {
    if ((asked.kernel.empty() || point.kernel == asked.kernel) && (gpu.empty() || point.gpu == gpu)) {
      log.points.add(point);
    }
  }
  if (log.points.empty() && !all.empty()) {
    throw Error(fmt::format("The session holds no launch of {}{}.",
                            asked.kernel.empty() ? "a kernel" : asked.kernel,
                            gpu.empty() ? "" : " on the " + gpu));
  }
  return log;
}

// Kernel Tuner's results name neither kernel nor GPU.
std::string t4_of(const SessionLog& log) {
  for (const Point& point : log.points) {
    if (point.kernel != log.points.front().kernel || point.gpu != log.points.front().gpu) {
      throw UsageError("Results of Kernel Tuner are of one kernel on one GPU: name the KERNEL, and --gpu.");
    }
  }
  return tuner_results({log.points.begin(), log.points.end()}, log.header.date);
}

void points(const Options& options, const PointsQuestion& asked) {
  if (asked.csv + asked.t4 + options.json > 1) {
    throw UsageError("Choose one of --csv, --t4 and --json.");
  }
  const SessionLog log = chosen(session_in(asked.session), asked);
  if (asked.t4) {
    say("{}", t4_of(log));
    return;
  }
  std::vector<LaunchReport> all = launch_reports(log);
  CodeModels code(options, places_of_a_report);
  const std::vector<Manifest> kernels = catalogue(options);
  code.prepare(log, kernels, CodeModels::Around::their_moves);
  add_advice(all, log, kernels, code.model_at());
  if (asked.csv) {
    say("{}", points_csv(all));
  } else if (options.json) {
    say_json(points_json(all));
  } else {
    say("{}{}", points_table(all, AdviceColumn::last).text(), flag_lines(all));
  }
}

}  // namespace

void add_points(CLI::App& app, const Options& options, int& status) {
  auto asked = std::make_shared<PointsQuestion>();
  auto* verb = app.add_subcommand("points", "List every launch of a session with its verdict and its advice");
  verb->add_option("SESSION", asked->session, "A session file")->required()->check(CLI::ExistingFile);
  verb->add_option("KERNEL", asked->kernel, "One kernel alone");
  verb->add_option("--gpu", asked->gpu, "Only launches on this one of the session's GPUs");
  verb->add_flag("--t4", asked->t4, "Kernel Tuner's results: JSON of the T4 results schema 1.0.0");
  verb->add_flag("--csv", asked->csv, "Comma-separated values for a spreadsheet; units stand in its header");
  verb->callback([&options, &status, asked] {
    points(options, *asked);
    status = success;
  });
}

}  // namespace rooftile::cli
