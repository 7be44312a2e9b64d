// rooftile-cli points SESSION [--csv]
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/points_csv.hpp"
#include "app/cli/catalogue.hpp"
#include "app/cli/findings.hpp"
#include "app/cli/output.hpp"
#include "app/cli/points_table.hpp"
#include "app/cli/report_source.hpp"
#include "app/cli/verbs.hpp"

namespace rooftile::cli {
namespace {

struct PointsQuestion {
  std::filesystem::path session;
  bool csv = false;
};

nlohmann::json points_json(const std::vector<Findings>& points) {
  nlohmann::json all = {{"points", nlohmann::json::array()}};
  for (const Findings& found : points) {
    all["points"].push_back(json_of(found));
  }
  return all;
}

void points(const Options& options, const PointsQuestion& asked) {
  if (asked.csv && options.json) {
    throw UsageError("Choose one of --csv and --json.");
  }
  const SessionLog log = session_in(asked.session);
  if (asked.csv) {
    say("{}", points_csv(log));
    return;
  }
  std::vector<Findings> all = findings(log);
  add_advice(all, log, catalogue(options));
  if (options.json) {
    say_json(points_json(all));
  } else {
    say("{}", points_table(all, AdviceColumn::last).text());
  }
}

}  // namespace

void add_points(CLI::App& app, const Options& options, int& status) {
  auto asked = std::make_shared<PointsQuestion>();
  auto* verb = app.add_subcommand("points", "List every launch of a session with its verdict and its advice");
  verb->add_option("SESSION", asked->session, "A session file")->required()->check(CLI::ExistingFile);
  verb->add_flag("--csv", asked->csv, "Comma-separated values for a spreadsheet; units stand in its header");
  verb->callback([&options, &status, asked] {
    points(options, *asked);
    status = success;
  });
}

}  // namespace rooftile::cli
