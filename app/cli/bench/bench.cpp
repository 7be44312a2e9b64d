#include "app/cli/bench/bench.hpp"

namespace rooftile::cli {

void add_bench(CLI::App& app, const Options& options, int& status) {
  auto* group = app.add_subcommand(
      "bench", "How fast rooftile itself is, its kernels are, and how good its predictions and advice");
  group->require_subcommand(1);
  add_bench_advice(*group, options, status);
  add_bench_latency(*group, options, status);
  add_bench_load(*group, options, status);
  add_bench_model(*group, options, status);
  add_bench_ptx(*group, options, status);
  add_bench_search(*group, options, status);
  add_bench_speed(*group, options, status);
  add_bench_sweep(*group, options, status);
  add_bench_window(*group, options, status);
}

}  // namespace rooftile::cli
