#include "app/cli/verbs/sweep/sweep_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "analysis/exchange/winner.hpp"
#include "analysis/text/format.hpp"
#include "app/cli/shared/catalogue.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/tables/launch_output.hpp"
#include "app/cli/tables/points_table.hpp"

namespace rooftile::cli {
namespace {

std::string search_text(const Search& search, const Manifest& kernel, const SessionLog& log) {
  const std::string how = fmt::format("{} of {} places were launched. {}", search.tries().size(),
                                      search.places().size(), sentence(*search.end(), search.limits()));
  const Try* best = search.best();
  if (!best) {
    return how + " No launch succeeded.\n";
  }
  const auto at = static_cast<std::size_t>(best - search.tries().data());
  return fmt::format("{}\nBest {}: {}\n", how, text(best->timing->median),
                     measure_line(kernel, log.points[at]));
}

void print_sweep(const LegalCombinations& plan, const SessionLog& log) {
  const std::vector<LaunchReport> all = launch_reports(log);
  say("{}{}\n", points_table(all).text(), flag_lines(all));
  for (const auto& [reason, times] : plan.skipped) {
    say("{} skipped: {}\n", times, reason);
  }
}

nlohmann::json sweep_json(const SweepQuestion& asked, const LegalCombinations& plan, const SessionLog& log,
                          const std::optional<Search>& search) {
  nlohmann::json all = {
      {"file", asked.file.string()}, {"points", nlohmann::json::array()}, {"skipped", nlohmann::json::array()}};
  for (const auto& point : log.points) {
    all["points"].push_back(json_of(launch_report(point, log)));
  }
  for (const auto& [reason, times] : plan.skipped) {
    all["skipped"].push_back({{"reason", reason}, {"combinations", times}});
  }
  if (search) {
    all["search"] = {{"places", search->places().size()},
                     {"launches", search->tries().size()},
                     {"end", sentence(*search->end(), search->limits())}};
  }
  return all;
}

}  // namespace

void show_sweep(const Options& options, const SweepQuestion& asked, const LegalCombinations& plan,
                const SessionLog& log, const std::optional<Search>& search) {
  if (options.json) {
    return say_json(sweep_json(asked, plan, log, search));
  }
  print_sweep(plan, log);
  if (search) {
    say("{}", search_text(*search, kernel_named(options, asked.kernel), log));
  }
}

}  // namespace rooftile::cli
