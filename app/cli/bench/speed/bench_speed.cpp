// rooftile-cli bench speed: the best that the kernels reach, beside the vendor's library, the plain copy and
// the DRAM peak, in one run. Places are found by a search, as a user finds them, not by hand.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/text/format.hpp"
#include "app/cli/bench/bench.hpp"
#include "app/cli/bench/readme_table.hpp"
#include "app/cli/bench/speed/drawn_sizes.hpp"
#include "app/cli/bench/speed/speed_benchmark.hpp"
#include "app/cli/bench/speed/speed_table.hpp"
#include "app/cli/shared/live/live_search.hpp"
#include "app/cli/shared/output.hpp"

namespace rooftile::cli {
namespace {

// fixed: further parameters of the problem, for the kernels that have them.
std::vector<Parameters> sizes(const std::string& name, const std::vector<double>& values,
                              const Parameters& fixed = {}) {
  std::vector<Parameters> all;
  for (const double value : values) {
    all.push_back(fixed);
    all.back()[name] = value;
  }
  return all;
}

std::vector<Contest> contests() {
  const auto products = sizes("N", {1024, 2048, 4096, 8192});
  const auto matrices = sizes("N", {8192, 16384}, {{"BYTES", 4}});
  const std::vector<int> any = {128, 8, 1}, of_16_bytes = {128, 16};
  return {
      {"FP32 multiply", "cublas_sgemm", {"sgemm_warp_tiled", "sgemm_split_k"}, products, any},
      {"TF32 multiply", "cublas_tf32", {"gemm_tf32_wgmma", "gemm_tf32_mma"}, products, any},
      {"BF16 multiply", "cublas_bf16", {"gemm_bf16_wgmma", "gemm_bf16_mma"}, products, any},
      {"FP8 multiply", "cublas_fp8", {"gemm_fp8_wgmma"}, products, of_16_bytes},
      {"transpose", "copy", {"transpose_vectorized", "transpose_swizzled", "transpose_tiled"}, matrices},
      {"copy", "", {"copy"}, matrices},
      {"triad", "", {"triad"}, sizes("N", {67108864, 268435456}, {{"OP", 3}})},
      {"histogram",
       "histogram_global",
       {"histogram_shared", "histogram_cluster"},
       sizes("BINS", {256, 16384, 57344, 65536, 131072, 524288})},
  };
}

struct BenchSpeedQuestion {
  std::vector<std::string> problems;
  std::size_t places = most_places_predicted, launches = 16, drawn = 6;
  std::uint32_t seed = 1;
  std::filesystem::path readme;  // whose table of speeds is written anew
};

std::vector<SpeedRow> rows_of(const Contest& contest, const BenchSpeedQuestion& asked,
                              SpeedBenchmark& benchmark) {
  std::vector<SpeedRow> rows;
  const auto add = [&](const Parameters& size, std::optional<std::uint32_t> seed) {
    rows.push_back(benchmark.row(contest, size));
    rows.back().seed = seed;
    remark("{}", speed_line(rows.back(), benchmark.dram_peak()));  // a run that is cut off has told these
  };
  for (const Parameters& size : contest.sizes) {
    add(size, {});
  }
  if (!contest.drawn_steps.empty()) {
    for (const Parameters& size : drawn_sizes(asked.drawn, asked.seed, contest.drawn_steps)) {
      add(size, asked.seed);
    }
  }
  return rows;
}

nlohmann::json json_of(const std::vector<SpeedRow>& rows, const SpeedBenchmark& benchmark) {
  nlohmann::json all = nlohmann::json::array();
  std::ranges::transform(rows, std::back_inserter(all), [](const SpeedRow& row) { return json_of(row); });
  const auto peak = benchmark.dram_peak();
  return {{"gpu", benchmark.gpu()},
          {"dram_peak_bytes_per_s", peak ? nlohmann::json(peak->value) : nlohmann::json()},
          {"rows", all}};
}

int bench(const Options& options, const BenchSpeedQuestion& asked) {
  SpeedBenchmark benchmark(options, asked.places, asked.launches);
  std::vector<SpeedRow> rows;
  for (const Contest& contest : contests()) {
    if (asked.problems.empty() || std::ranges::find(asked.problems, contest.title) != asked.problems.end()) {
      std::ranges::move(rows_of(contest, asked, benchmark), std::back_inserter(rows));
    }
  }
  const std::string table = speed_table(rows, benchmark.dram_peak(), benchmark.gpu());
  if (!asked.readme.empty()) {
    rewrite_table(asked.readme, "speed", table);
  }
  options.json ? say_json(json_of(rows, benchmark)) : say("{}", table);
  return success;
}

}  // namespace

void add_bench_speed(CLI::App& group, const Options& options, int& status) {
  auto* verb =
      group.add_subcommand("speed", "The best of the kernels beside cuBLAS, the copy and the DRAM peak");
  auto asked = std::make_shared<BenchSpeedQuestion>();
  std::vector<std::string> titles;
  for (const Contest& contest : contests()) {
    titles.push_back(contest.title);
  }
  verb->add_option("PROBLEM", asked->problems, "Only these; all are the default")->check(CLI::IsMember(titles));
  verb->add_option("--places", asked->places, "A search chooses among so many places of each kernel at most")
      ->check(CLI::PositiveNumber);
  verb->add_option("--launches", asked->launches, "Most launches of the search for each kernel and size")
      ->check(CLI::PositiveNumber);
  verb->add_option("--drawn", asked->drawn, "How many sizes of each multiply are drawn that nobody named");
  verb->add_option("--seed", asked->seed, "Draws other sizes");
  verb->add_option("--readme", asked->readme, "Write the table between this page's markers")
      ->check(CLI::ExistingFile);
  verb->callback([&options, &status, asked] { status = bench(options, *asked); });
}

}  // namespace rooftile::cli
