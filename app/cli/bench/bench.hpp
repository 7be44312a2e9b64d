// The benchmarks of rooftile-cli, one file each.
#pragma once

#include "app/cli/verbs.hpp"

namespace rooftile::cli {

void add_bench_advice(CLI::App& group, const Options& options, int& status);
void add_bench_latency(CLI::App& group, const Options& options, int& status);
void add_bench_load(CLI::App& group, const Options& options, int& status);
void add_bench_model(CLI::App& group, const Options& options, int& status);
void add_bench_ptx(CLI::App& group, const Options& options, int& status);
void add_bench_search(CLI::App& group, const Options& options, int& status);
void add_bench_speed(CLI::App& group, const Options& options, int& status);
void add_bench_sweep(CLI::App& group, const Options& options, int& status);
void add_bench_window(CLI::App& group, const Options& options, int& status);

}  // namespace rooftile::cli
