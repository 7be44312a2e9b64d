// rooftile-cli bench speed: the best that the kernels reach, beside the vendor's library, the plain copy and
// the DRAM peak, in one run. Configurations are found by a sweep, not by hand.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/text/format.hpp"
#include "app/cli/bench/bench.hpp"
#include "app/cli/bench/readme_table.hpp"
#include "app/cli/bench/speed_table.hpp"
#include "app/cli/shared/catalogue.hpp"
#include "app/cli/shared/live_session.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/tables/dial_positions.hpp"

namespace rooftile::cli {
namespace {

struct Contest {
  std::string title;
  std::string rival;                    // empty: the DRAM peak
  std::vector<std::string> contenders;  // the fastest configuration of all of them counts
  std::vector<Parameters> sizes;        // where the best of them are measured
  Parameters largest_tried = {};        // larger sizes take its best dials; empty: each size finds its own
};

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
  const Parameters product = products[2], matrix = matrices[0];
  return {
      {"FP32 multiply", "cublas_sgemm", {"sgemm_warp_tiled"}, products, product},
      {"TF32 multiply", "cublas_tf32", {"gemm_tf32_wgmma", "gemm_tf32_mma"}, products, product},
      {"BF16 multiply", "cublas_bf16", {"gemm_bf16_wgmma", "gemm_bf16_mma"}, products, product},
      {"transpose",
       "copy",
       {"transpose_vectorized", "transpose_swizzled", "transpose_tiled"},
       matrices,
       matrix},
      {"copy", "", {"copy"}, matrices, matrix},
      {"triad", "", {"triad"}, sizes("N", {67108864, 268435456}, {{"OP", 3}})},
      {"histogram",
       "histogram_global",
       {"histogram_shared", "histogram_cluster"},
       sizes("BINS", {256, 16384, 57344, 65536, 131072, 524288})},
  };
}

class Benchmark {
 public:
  Benchmark(const Options& options, std::size_t tries, std::size_t finalists)
      : catalogue_(catalogue(options)), session_(start(options)), tries_(tries), finalists_(finalists) {
    wait_until_started(session_);
    expect_device(session_);
  }

  std::vector<SpeedRow> run(const Contest& contest) {
    std::vector<Configuration> ours, theirs;
    bool chosen = false;
    std::vector<SpeedRow> rows;
    for (const Parameters& size : contest.sizes) {
      if (!chosen) {
        ours = fastest(contest.contenders, size);
        theirs = fastest({contest.rival}, size);
        chosen = size == contest.largest_tried;
      }
      const auto duel = [&](Caches caches) {
        return Duel{best(theirs, size, caches), best(ours, size, caches)};
      };
      SpeedRow row{contest.title, contest.rival, size, duel(Caches::cold), duel(Caches::warm), {}};
      row.dials = row.cold.best ? dials(*row.cold.best) : Parameters{};
      rows.push_back(std::move(row));
    }
    return rows;
  }

  // The peak by counters and clock, else as quoted; empty where neither is known.
  std::optional<BytesPerSecond> dram_peak() const {
    const Roofs* roofs = session_.log().roofs_of(session_.device()->name);
    for (const Origin origin : {Origin::spec, Origin::datasheet}) {
      if (const MemoryRoof* peak = roofs != nullptr ? roofs->find(MemoryLevel::dram, origin) : nullptr) {
        return peak->bandwidth;
      }
    }
    return {};
  }
  std::string gpu() const { return session_.device()->name; }

 private:
  const Manifest* kernel(const std::string& name) const { return known_kernel(catalogue_, name); }

  // The parameters that the kernel has.
  Parameters known(const std::string& name, Parameters parameters) const {
    std::erase_if(parameters, [&](const auto& value) { return !kernel(name)->parameter(value.first); });
    return parameters;
  }

  // The fastest first; what failed is left out.
  std::vector<Point> measure(const std::vector<Configuration>& configurations) {
    const std::vector<std::uint64_t> ids = session_.sweep(configurations);
    wait_until_idle(session_);
    std::vector<Point> points;
    for (const Point& point : session_.log().points) {
      if (std::ranges::find(ids, point.id) != ids.end() && point.timing && !point.failure) {
        points.push_back(point);
      }
    }
    std::ranges::sort(points, {}, [](const Point& point) { return point.timing->median.value; });
    return points;
  }

  // The dials of the few fastest of many configurations of these kernels.
  std::vector<Configuration> fastest(const std::vector<std::string>& kernels, const Parameters& size) {
    std::vector<Configuration> best;
    for (const std::string& name : kernels) {
      if (kernel(name) == nullptr) {
        continue;
      }
      std::vector<Point> points = measure(dial_positions(*kernel(name), known(name, size), tries_));
      points.resize(std::min(points.size(), finalists_));
      for (const Point& point : points) {
        best.push_back({name, dials(point), Caches::cold});
      }
    }
    return best;
  }

  Parameters dials(const Point& point) const {
    Parameters dials = point.parameters;
    std::erase_if(dials, [&](const auto& value) {
      return kernel(point.kernel)->parameter(value.first)->role != ParameterRole::dial;
    });
    return dials;
  }

  std::optional<Point> best(std::vector<Configuration> configurations, const Parameters& size, Caches caches) {
    for (Configuration& configuration : configurations) {
      configuration.parameters.merge(known(configuration.kernel, size));
      configuration.caches = caches;
    }
    std::erase_if(configurations, [&](const Configuration& configuration) {
      const Manifest& manifest = *kernel(configuration.kernel);
      return why_illegal(manifest, complete(manifest, configuration.parameters)).has_value();
    });
    const std::vector<Point> points = measure(configurations);
    return points.empty() ? std::nullopt : std::optional(points.front());
  }

  std::vector<Manifest> catalogue_;
  Session session_;
  std::size_t tries_, finalists_;
};

struct BenchSpeedQuestion {
  std::vector<std::string> problems;
  std::size_t tries = 400, finalists = 3;
  std::filesystem::path readme;  // whose table of speeds is written anew
};

int bench(const Options& options, const BenchSpeedQuestion& asked) {
  Benchmark benchmark(options, asked.tries, asked.finalists);
  std::vector<SpeedRow> rows;
  for (const Contest& contest : contests()) {
    if (asked.problems.empty() || std::ranges::find(asked.problems, contest.title) != asked.problems.end()) {
      const std::vector<SpeedRow> more = benchmark.run(contest);
      rows.insert(rows.end(), more.begin(), more.end());
    }
  }
  const auto dram_peak = benchmark.dram_peak();
  const std::string table = speed_table(rows, dram_peak, benchmark.gpu());
  if (!asked.readme.empty()) {
    rewrite_table(asked.readme, "speed", table);
  }
  if (options.json) {
    nlohmann::json all = nlohmann::json::array();
    std::ranges::transform(rows, std::back_inserter(all), [](const SpeedRow& row) { return json_of(row); });
    say_json(nlohmann::json{
        {"gpu", benchmark.gpu()},
        {"dram_peak_bytes_per_s", dram_peak ? nlohmann::json(dram_peak->value) : nlohmann::json()},
        {"rows", all}});
  } else {
    say("{}", table);
  }
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
  verb->add_option("--tries", asked->tries, "How many configurations of each kernel are tried");
  verb->add_option("--finalists", asked->finalists, "How many of them are measured at every size");
  verb->add_option("--readme", asked->readme, "Write the table between this page's markers")
      ->check(CLI::ExistingFile);
  verb->callback([&options, &status, asked] { status = bench(options, *asked); });
}

}  // namespace rooftile::cli
