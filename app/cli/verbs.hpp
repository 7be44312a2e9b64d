// The verbs: each adds its subcommand and, when it is asked for, runs and leaves its exit status.
#pragma once

#include <CLI/CLI.hpp>
#include <limits>

#include "analysis/record/point.hpp"
#include "app/cli/shared/options.hpp"

namespace rooftile::cli {

void add_kernels(CLI::App& app, const Options& options, int& status);
void add_gpus(CLI::App& app, const Options& options, int& status);
void add_predict(CLI::App& app, const Options& options, int& status);
void add_merge(CLI::App& app, const Options& options, int& status);
void add_import(CLI::App& app, const Options& options, int& status);
void add_measure(CLI::App& app, const Options& options, int& status);
void add_check(CLI::App& app, const Options& options, int& status);
void add_compare(CLI::App& app, const Options& options, int& status);
void add_explain(CLI::App& app, const Options& options, int& status);
void add_lines(CLI::App& app, const Options& options, int& status);
void add_picture(CLI::App& app, const Options& options, int& status);
void add_sweep(CLI::App& app, const Options& options, int& status);
void add_occupancy(CLI::App& app, const Options& options, int& status);
void add_doctor(CLI::App& app, const Options& options, int& status);
void add_best(CLI::App& app, const Options& options, int& status);
void add_bench(CLI::App& app, const Options& options, int& status);
void add_roofs(CLI::App& app, const Options& options, int& status);
void add_new(CLI::App& app, const Options& options, int& status);
void add_points(CLI::App& app, const Options& options, int& status);
void add_profile(CLI::App& app, const Options& options, int& status);
void add_report(CLI::App& app, const Options& options, int& status);
void add_page(CLI::App& app, const Options& options, int& status);

// CLI11's own range without an end says so in 309 digits.
inline CLI::Range at_least(int least) {
  return {least, std::numeric_limits<int>::max()};
}

// --caches cold|warm
inline void add_caches(CLI::App& verb, Caches& caches) {
  const std::map<std::string, Caches> words = {{"cold", Caches::cold}, {"warm", Caches::warm}};
  verb.add_option("--caches", caches, "State of the caches before each launch: cold (the default) or warm")
      ->transform(CLI::CheckedTransformer(words));
}

}  // namespace rooftile::cli
