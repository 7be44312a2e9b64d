// rooftile-cli sweep KERNEL name=v1,v2 name=a..b [--best | --shard I/N] -o FILE
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "analysis/exchange/winner.hpp"
#include "analysis/text/format.hpp"
#include "app/cli/shared/assignments.hpp"
#include "app/cli/shared/catalogue.hpp"
#include "app/cli/shared/live/live_search.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/tables/launch_output.hpp"
#include "app/cli/tables/points_table.hpp"
#include "app/cli/verbs.hpp"

namespace rooftile::cli {
namespace {

struct SweepQuestion {
  std::string kernel;
  std::vector<std::string> words;
  Caches caches = Caches::cold;
  std::filesystem::path file;
  bool best = false;         // search instead of measuring everything
  std::size_t launches = 0;  // most launches of the search; 0: the usual number
  std::string shard;         // "3/8"; empty: all
};

struct Shard {
  std::size_t number = 1, of = 1;
};

Shard shard_of(const std::string& words) {
  Shard shard;
  char end = 0;
  if (std::sscanf(words.c_str(), "%zu/%zu%c", &shard.number, &shard.of, &end) != 2 || shard.number < 1 ||
      shard.number > shard.of) {
    throw UsageError(
        fmt::format("--shard takes a number and how many there are, as 1/8 or 8/8; not {}.", words));
  }
  return shard;
}

// Every n-th combination, so that neighbours, which take about as long, go to different shards.
LegalCombinations part_of(LegalCombinations plan, const Shard& shard) {
  std::size_t position = 0;
  std::erase_if(plan.configurations,
                [&](const Parameters&) { return position++ % shard.of != shard.number - 1; });
  return plan;
}

// Earlier results are not written over, and nothing is measured that could not be kept.
void expect_new(const std::filesystem::path& file) {
  if (std::filesystem::exists(file)) {
    throw UsageError(fmt::format("{} exists already; name another file, or remove it first.", file.string()));
  }
  if (!std::filesystem::is_directory(std::filesystem::absolute(file).parent_path())) {
    throw UsageError(fmt::format("There is no folder to write {} into.", file.string()));
  }
}

std::vector<Configuration> configurations(const LegalCombinations& plan, const SweepQuestion& asked) {
  std::vector<Configuration> all;
  for (const auto& parameters : plan.configurations) {
    all.push_back({asked.kernel, parameters, asked.caches});
  }
  return all;
}

std::optional<std::string> why_not_saved(Session& session) {
  try {
    session.tidy_journal();
    return std::nullopt;
  } catch (const Error& error) {
    return error.what();
  }
}

SearchLimits limits_of(const LegalCombinations& plan, const SweepQuestion& asked) {
  SearchLimits limits = usual_limits(plan.configurations.size());
  limits.launches = asked.launches > 0 ? asked.launches : limits.launches;
  return limits;
}

std::string search_text(const Search& search, const Manifest& kernel, const SessionLog& log) {
  const std::string how = fmt::format("{} of {} places were launched. {}", search.tries().size(),
                                      search.places().size(), sentence(*search.end(), search.limits()));
  const Try* best = search.best();
  if (!best) {
    return how + " None succeeded.\n";
  }
  const auto at = static_cast<std::size_t>(best - search.tries().data());
  return fmt::format("{}\nBest {}: {}\n", how, text(best->timing->median),
                     measure_line(kernel, log.points[at]));
}

void print(const LegalCombinations& plan, const SessionLog& log) {
  const std::vector<LaunchReport> all = launch_reports(log);
  say("{}{}\n", points_table(all).text(), flag_lines(all));
  for (const auto& [reason, times] : plan.skipped) {
    say("{} skipped: {}\n", times, reason);
  }
}

nlohmann::json json(const SweepQuestion& asked, const LegalCombinations& plan, const SessionLog& log,
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

int sweep(const Options& options, const SweepQuestion& asked) {
  const Manifest kernel = kernel_named(options, asked.kernel);
  const Shard shard = asked.shard.empty() ? Shard() : shard_of(asked.shard);
  const LegalCombinations plan = part_of(legal_combinations(kernel, asked.words), shard);
  expect_new(asked.file);
  Session session = start(options, asked.file, platform::Existing::refused);
  if (const auto trouble = session.take_journal_trouble()) {
    throw Error(*trouble);
  }
  wait_until_started(session);
  expect_device(session);
  std::optional<Search> search;
  if (asked.best) {
    search = search_live(options, session, kernel, plan.configurations, asked.caches, limits_of(plan, asked));
  } else {
    session.sweep(configurations(plan, asked));
    wait_until_idle(session);
  }
  const SessionLog& log = session.log();
  const auto why_not = why_not_saved(session);
  if (options.json) {
    say_json(json(asked, plan, log, search));
  } else {
    print(plan, log);
    say("{}", search ? search_text(*search, kernel, log) : "");
  }
  if (why_not) {
    throw Error(fmt::format("The points above are not all kept: {}", *why_not));
  }
  if (!options.json) {
    say("{} points written to {}\n", log.points.size(), asked.file.string());
  }
  if (!search && log.points.size() < plan.configurations.size()) {
    throw Error(fmt::format("{} of {} combinations were measured: {}", log.points.size(),
                            plan.configurations.size(),
                            session.last_error().value_or("the sweep ended early.")));
  }
  const auto failed =
      std::ranges::find_if(log.points, [](const Point& point) { return point.failure.has_value(); });
  if (failed == log.points.end()) {
    return success;
  }
  if (options.json) {
    say_json_error("failure", *failed->failure);
  }
  return failure;
}

}  // namespace

void add_sweep(CLI::App& app, const Options& options, int& status) {
  auto asked = std::make_shared<SweepQuestion>();
  auto* verb =
      app.add_subcommand("sweep", "Measure every legal combination of some values into a session file");
  verb->add_option("KERNEL", asked->kernel, "Its name; rooftile-cli kernels lists them")->required();
  verb->add_option("DIALS", asked->words, "TILE=8,16 or PAD_A=0..4; the rest have their defaults")->required();
  add_caches(*verb, asked->caches);
  verb->add_option("-o,--output", asked->file, "Session file to write")->required();
  verb->add_flag("--best", asked->best, "Search for the fastest combination instead of measuring all of them");
  verb->add_option("--launches", asked->launches,
                   "Most launches of the search; the default is a tenth of the combinations, at least 10")
      ->check(at_least(1))
      ->needs("--best");
  verb->add_option("--shard", asked->shard,
                   "Measure one part of N, as 3/8, in a session of its own; merge joins the parts")
      ->excludes("--best");
  verb->callback([&options, &status, asked] { status = sweep(options, *asked); });
}

}  // namespace rooftile::cli
