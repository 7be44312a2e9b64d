// rooftile-cli bench sweep: what a configuration of a sweep costs beyond the launches themselves.
#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "analysis/text/format.hpp"
#include "app/cli/bench/bench.hpp"
#include "app/cli/shared/catalogue.hpp"
#include "app/cli/shared/live/live_session.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/tables/dial_positions.hpp"

namespace rooftile::cli {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<Configuration> some_positions(const Options& options, double size, std::size_t most) {
  std::vector<Configuration> all;
  for (const char* name : {"sgemm_tiled", "sgemm_register_2d"}) {
    const auto positions = dial_positions(kernel_named(options, name), {{"N", size}}, most / 2);
    all.insert(all.end(), positions.begin(), positions.end());
  }
  return all;
}

// Time of all launches of a point: one to verify, some to time, one per pass to count.
Seconds running_time(const Point& point) {
  if (point.failure || !point.counters) {
    throw Error(fmt::format("{} {} was not counted: {}", point.kernel, text(point.parameters),
                            point.failure.value_or("see rooftile-cli doctor")));
  }
  return (1.0 + point.timing->launches + point.counters->passes) * point.timing->median;
}

int bench(const Options& options, double size, std::size_t most) {
  const auto configurations = some_positions(options, size, most);
  Session session = start(options);
  wait_until_started(session);
  expect_device(session);
  const auto begin = Clock::now();
  session.sweep(configurations);
  wait_until_idle(session);
  const std::chrono::duration<double> wall = Clock::now() - begin;
  Seconds running;
  for (const Point& point : session.log().points) {
    running += running_time(point);
  }
  const double points = static_cast<double>(session.log().points.size());
  const Seconds overhead{(wall.count() - running.value) / points};
  if (options.json) {
    say_json(nlohmann::json{{"points", points},
                            {"wall_s", wall.count()},
                            {"running_s", running.value},
                            {"overhead_s", overhead.value}});
    return success;
  }
  say("{} configurations of sgemm_tiled and sgemm_register_2d at N = {}, compiled, verified, timed and counted "
      "in {}.\n"
      "{} per configuration: its launches run {}, the rest takes {}.\n",
      count(points), count(size), text(Seconds{wall.count()}), text(Seconds{wall.count() / points}),
      text(Seconds{running.value / points}), text(overhead));
  return success;
}

}  // namespace

void add_bench_sweep(CLI::App& group, const Options& options, int& status) {
  auto* verb = group.add_subcommand("sweep", "The time that a configuration of a sweep takes");
  struct BenchSweepQuestion {
    double size = 1024;
    std::size_t count = 200;
  };
  auto asked = std::make_shared<BenchSweepQuestion>();
  verb->add_option("--size", asked->size, "The problem size N");
  verb->add_option("--count", asked->count, "How many configurations");
  verb->callback([&options, &status, asked] { status = bench(options, asked->size, asked->count); });
}

}  // namespace rooftile::cli
