// rooftile-cli sweep KERNEL [name=v1,v2 name=a..b] [--best | --shard I/N | --slurm OPTIONS] -o FILE
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "analysis/platform/session_files.hpp"
#include "app/cli/shared/assignments.hpp"
#include "app/cli/shared/catalogue.hpp"
#include "app/cli/shared/live/live_search.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/verbs.hpp"
#include "app/cli/verbs/sweep/shared_sweep.hpp"
#include "app/cli/verbs/sweep/slurm_sweep.hpp"
#include "app/cli/verbs/sweep/sweep_report.hpp"

namespace rooftile::cli {
namespace {

std::optional<std::string> why_not_saved(Session& session) {
  try {
    session.tidy_journal();
    return std::nullopt;
  } catch (const Error& error) {
    return error.what();
  }
}

SearchLimits limits_of(std::size_t places, const SweepQuestion& asked) {
  SearchLimits limits = usual_limits(places);
  limits.launches = asked.launches > 0 ? asked.launches : limits.launches;
  return limits;
}

// Among the combinations; of a single one the dials that are not named move.
Search search_for_best(const Options& options, Session& session, const SweepQuestion& asked,
                       const LegalCombinations& plan) {
  LiveSearch live(options, session, kernel_named(options, asked.kernel), asked.caches);
  const std::vector<Parameters>& places = plan.configurations;
  if (places.size() > 1) {
    return live.among(places, limits_of(places.size(), asked));
  }
  Parameters given;
  for (const std::string& word : asked.words) {
    const std::string name = word.substr(0, word.find('='));
    given[name] = places.front().at(name);
  }
  return live.downhill(given, most_places_predicted,
                       [&](std::size_t found) { return limits_of(found, asked); });
}

// Every GPU that is named, but for the session's.
std::vector<int> other_gpus(const Session& session, const SweepQuestion& asked, int first) {
  const std::string& name = session.device()->name;
  const auto& devices = session.log().devices;
  const auto own =
      std::ranges::find_if(devices, [&](const DeviceRecord& device) { return device.gpu.name == name; });
  std::vector<int> gpus = gpus_named(asked.devices, own->machine.empty() ? std::vector{name} : own->machine);
  std::erase(gpus, first);
  return gpus;
}

// The first GPU that is named is the session's; of "all" the first that there is.
Options on_first_gpu(Options options, const SweepQuestion& asked) {
  if (!asked.devices.empty() && asked.devices != "all") {
    options.device = std::atoi(asked.devices.c_str());
  }
  return options;
}

// Returns how many points it comes to.
std::size_t measure_all(const Options& options, Session& session, const std::vector<Configuration>& plan,
                        const SweepQuestion& asked) {
  if (!asked.devices.empty()) {
    return sweep_together(options, session, other_gpus(session, asked, options.device.value_or(0)), plan);
  }
  session.sweep(plan);
  wait_until_idle(session);
  return plan.size();
}

Session started(const Options& options, const SweepQuestion& asked) {
  const bool resumes = asked.resumes && std::filesystem::exists(asked.file);
  if (!resumes) {
    expect_new(asked.file);
  }
  Session session =
      resumes ? resumed(options, asked.file) : start(options, asked.file, platform::Existing::refused);
  if (const auto trouble = session.take_journal_trouble()) {
    throw Error(*trouble);
  }
  wait_until_started(session);
  expect_device(session);
  return session;
}

// Success, or failure where a launch failed.
int status_of(const Options& options, const SessionLog& log) {
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

void tell_file(const Options& options, const SweepQuestion& asked, const SessionLog& log) {
  if (!options.json) {
    say("{} points written to {}\n", log.points.size(), asked.file.string());
  }
}

int sweep_here(const Options& given, const SweepQuestion& asked, const LegalCombinations& plan) {
  const Options options = on_first_gpu(given, asked);
  Session session = started(options, asked);
  std::optional<Search> search;
  std::size_t wanted = session.log().points.size();
  if (asked.best) {
    search = search_for_best(options, session, asked, plan);
  } else {
    wanted += measure_all(options, session, left_of(configurations(plan, asked), session.log()), asked);
  }
  const SessionLog& log = session.log();
  const auto why_not = why_not_saved(session);
  show_sweep(options, asked, plan, log, search);
  if (why_not) {
    throw Error(fmt::format("The points above are not all kept: {}", *why_not));
  }
  tell_file(options, asked, log);
  if (log.points.size() < wanted) {
    throw Error(fmt::format("{} of {} combinations were measured: {}", log.points.size(), wanted,
                            session.last_error().value_or("the sweep ended early.")));
  }
  return status_of(options, log);
}

int sweep_by_slurm(const Options& options, const SweepQuestion& asked, const LegalCombinations& plan) {
  if (!goes_on_by_slurm(asked.file)) {
    expect_new(asked.file);
  }
  const SessionLog log = measured_by_slurm(options, asked, plan);
  platform::save_session(log, asked.file);
  show_sweep(options, asked, plan, log, {});
  tell_file(options, asked, log);
  return status_of(options, log);
}

int sweep(const Options& options, const SweepQuestion& asked) {
  if (asked.words.empty() && !asked.best) {
    throw UsageError(
        "Name the values that are measured, as TILE=8,16; with --best the dials move by themselves.");
  }
  const LegalCombinations all = legal_combinations(kernel_named(options, asked.kernel), asked.words);
  if (asked.slurm) {
    return sweep_by_slurm(options, asked, all);
  }
  return sweep_here(options, asked, part_of(all, asked.shard.empty() ? Shard() : shard_of(asked.shard)));
}

void add_places(CLI::App& verb, const std::shared_ptr<SweepQuestion>& asked) {
  verb.add_option("--shard", asked->shard,
                  "Measure one part of N, as 3/8, in a session of its own; merge joins the parts")
      ->excludes("--best");
  verb.add_flag("--continue", asked->resumes, "Measure what FILE, of a sweep that was ended, does not hold yet")
      ->excludes("--best");
  verb.add_option("--devices", asked->devices,
                  "GPUs of this machine that share the sweep: all, or numbers, as 0,2")
      ->excludes("--best");
  auto* slurm =
      verb.add_option("--slurm", asked->slurm,
                      "Let an array of Slurm's jobs measure it; options of sbatch, as \"--gres=gpu:1\"")
          ->excludes("--best", "--shard", "--continue");
  verb.add_option("-n,--tasks", asked->tasks, "Tasks of the array")->check(at_least(1))->needs(slurm);
}

}  // namespace

void add_sweep(CLI::App& app, const Options& options, int& status) {
  auto asked = std::make_shared<SweepQuestion>();
  auto* verb =
      app.add_subcommand("sweep", "Measure every legal combination of some values into a session file");
  verb->add_option("KERNEL", asked->kernel, "Its name; rooftile-cli kernels lists them")->required();
  verb->add_option("DIALS", asked->words, "TILE=8,16 or PAD_A=0..4; the rest have their defaults");
  add_caches(*verb, asked->caches);
  verb->add_option("-o,--output", asked->file, "Session file to write")->required();
  verb->add_flag("--best", asked->best,
                 "Search for the fastest combination instead of measuring all of them; where each dial that is "
                 "named has one value, by moving the others");
  verb->add_option("--launches", asked->launches,
                   "Most launches of the search; the default is a tenth of the combinations, at least 10")
      ->check(at_least(1))
      ->needs("--best");
  add_places(*verb, asked);
  verb->callback([&options, &status, asked] { status = sweep(options, *asked); });
}

}  // namespace rooftile::cli
