// rooftile-cli bench speed: the best that the kernels reach, beside the vendor's library, the plain copy and
// the DRAM peak, in one run. Configurations are found by a sweep, not by hand.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/format.hpp"
#include "app/cli/bench.hpp"
#include "app/cli/catalogue.hpp"
#include "app/cli/dial_positions.hpp"
#include "app/cli/live_session.hpp"

namespace rooftile::cli {
namespace {

struct Contest {
  std::string title;
  std::string rival;                    // empty: the DRAM peak
  std::vector<std::string> contenders;  // the fastest configuration of all of them counts
  Parameters tried_at;                  // where many configurations are tried
  std::vector<Parameters> sizes;        // where the best of them are measured
};

std::vector<Parameters> sizes(const std::string& name, const std::vector<double>& values) {
  std::vector<Parameters> all;
  for (const double value : values) {
    all.push_back({{name, value}});
  }
  return all;
}

std::vector<Contest> contests() {
  const auto products = sizes("N", {1024, 2048, 4096, 8192});
  const Parameters product{{"N", 4096}}, matrix{{"N", 8192}};
  return {
      {"FP32 multiply", "cublas_sgemm", {"sgemm_warp_tiled"}, product, products},
      {"TF32 multiply", "cublas_tf32", {"gemm_tf32_mma"}, product, products},
      {"BF16 multiply", "cublas_bf16", {"gemm_bf16_wgmma", "gemm_bf16_mma"}, product, products},
      {"transpose",
       "copy",
       {"transpose_vectorized", "transpose_swizzled", "transpose_tiled"},
       matrix,
       sizes("N", {8192, 16384})},
      {"copy", "", {"copy"}, matrix, sizes("N", {8192, 16384})},
      {"triad", "", {"triad"}, {}, sizes("N", {67108864, 268435456})},
      {"histogram",
       "histogram_global",
       {"histogram_shared", "histogram_cluster"},
       {},
       sizes("BINS", {256, 2048, 8192, 16384, 131072})},
  };
}

struct Row {
  std::string title;
  Parameters size;
  Caches caches = Caches::cold;
  std::optional<Point> rival, best;
  Parameters dials;  // of the best
};

class Benchmark {
 public:
  Benchmark(const Options& options, std::size_t tries, std::size_t finalists)
      : catalogue_(catalogue(options)), session_(start(options)), tries_(tries), finalists_(finalists) {
    wait_until_started(session_);
    expect_device(session_);
  }

  std::vector<Row> run(const Contest& contest) {
    const std::vector<Configuration> ours = fastest(contest.contenders, contest.tried_at);
    const std::vector<Configuration> theirs = fastest({contest.rival}, contest.tried_at);
    std::vector<Row> rows;
    for (const Parameters& size : contest.sizes) {
      for (const Caches caches : {Caches::cold, Caches::warm}) {
        Row row{contest.title, size, caches, best(theirs, size, caches), best(ours, size, caches), {}};
        row.dials = row.best ? dials(*row.best) : Parameters{};
        rows.push_back(std::move(row));
      }
    }
    return rows;
  }

  // The peak by counters and clock, else as quoted.
  BytesPerSecond dram_peak() const {
    const Roofs* roofs = session_.log().roofs_of(session_.gpu()->name);
    const MemoryRoof* spec = roofs != nullptr ? roofs->find(MemoryLevel::dram, Origin::spec) : nullptr;
    return spec != nullptr ? spec->bandwidth : session_.gpu()->quoted_dram;
  }
  std::string gpu() const { return session_.gpu()->name; }

 private:
  const Manifest* kernel(const std::string& name) const {
    const auto found = std::ranges::find(catalogue_, name, &Manifest::name);
    return found == catalogue_.end() ? nullptr : &*found;
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
      std::vector<Point> points = measure(dial_positions(*kernel(name), size, tries_));
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
      configuration.parameters.insert(size.begin(), size.end());
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

bool is_product(const Row& row) {
  return row.best && row.best->parameters.contains("K");
}

// A product's FLOPs as the mathematics has them, without those of tiles that overhang; else the bytes that
// cannot be avoided.
std::string rate(const Row& row, const Point& point) {
  if (is_product(row)) {
    return text(Flops{2 * point.parameters.at("K") * point.modelled.elements} / point.timing->median);
  }
  return text(point.modelled.compulsory_dram / point.timing->median);
}

std::string cell(const Row& row, const std::optional<Point>& point) {
  return point ? fmt::format("`{}` {}", point->kernel, rate(row, *point)) : unknown_text;
}

double share_of(const Row& row, BytesPerSecond dram_peak) {
  return row.best->modelled.compulsory_dram / row.best->timing->median / dram_peak;
}

// How many times as fast as the rival; without one, the share of the DRAM peak.
std::string ratio(const Row& row, BytesPerSecond dram_peak) {
  if (!row.best) {
    return unknown_text;
  }
  return row.rival ? fmt::format("{:.2f}x", row.rival->timing->median / row.best->timing->median)
                   : percent(share_of(row, dram_peak));
}

std::string markdown(const std::vector<Row>& rows, BytesPerSecond dram_peak, const std::string& gpu) {
  std::string table = fmt::format(
      "| on {} | size | caches | beside | best | its dials | ratio |\n"
      "| --- | --: | --- | --- | --- | --- | --: |\n",
      gpu);
  for (const Row& row : rows) {
    table += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", row.title, text(row.size),
                         row.caches == Caches::cold ? "cold" : "warm",
                         row.rival ? cell(row, row.rival) : fmt::format("DRAM peak {}", text(dram_peak)),
                         cell(row, row.best), row.best ? text(row.dials) : unknown_text, ratio(row, dram_peak));
  }
  return table;
}

nlohmann::json json(const Row& row) {
  nlohmann::json one = {
      {"problem", row.title}, {"size", row.size}, {"caches", row.caches == Caches::cold ? "cold" : "warm"}};
  for (const auto& [name, point] : {std::pair("rival", &row.rival), std::pair("best", &row.best)}) {
    if (*point) {
      one[name] = {{"kernel", (*point)->kernel},
                   {"parameters", (*point)->parameters},
                   {"median_s", (*point)->timing->median.value}};
    }
  }
  return one;
}

int bench(const Options& options, const std::vector<std::string>& wanted, std::size_t tries,
          std::size_t finalists) {
  Benchmark benchmark(options, tries, finalists);
  std::vector<Row> rows;
  for (const Contest& contest : contests()) {
    if (wanted.empty() || std::ranges::find(wanted, contest.title) != wanted.end()) {
      const std::vector<Row> more = benchmark.run(contest);
      rows.insert(rows.end(), more.begin(), more.end());
    }
  }
  if (options.json) {
    nlohmann::json all = nlohmann::json::array();
    std::ranges::transform(rows, std::back_inserter(all), [](const Row& row) { return json(row); });
    fmt::print("{}\n", nlohmann::json{{"gpu", benchmark.gpu()},
                                      {"dram_peak_bytes_per_s", benchmark.dram_peak().value},
                                      {"rows", all}}
                           .dump(2));
  } else {
    fmt::print("{}", markdown(rows, benchmark.dram_peak(), benchmark.gpu()));
  }
  return success;
}

}  // namespace

void add_bench_speed(CLI::App& group, const Options& options, int& status) {
  auto* verb =
      group.add_subcommand("speed", "The best of the kernels beside cuBLAS, the copy and the DRAM peak");
  struct Question {
    std::vector<std::string> problems;
    std::size_t tries = 40, finalists = 3;
  };
  auto asked = std::make_shared<Question>();
  std::vector<std::string> titles;
  for (const Contest& contest : contests()) {
    titles.push_back(contest.title);
  }
  verb->add_option("PROBLEM", asked->problems, "Only these; all are the default")->check(CLI::IsMember(titles));
  verb->add_option("--tries", asked->tries, "How many configurations of each kernel are tried");
  verb->add_option("--finalists", asked->finalists, "How many of them are measured at every size");
  verb->callback(
      [&options, &status, asked] { status = bench(options, asked->problems, asked->tries, asked->finalists); });
}

}  // namespace rooftile::cli
