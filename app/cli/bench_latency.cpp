// rooftile-cli bench latency: from the moved dial to the counted point, as somebody who drags it meets it.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "analysis/format.hpp"
#include "app/cli/bench.hpp"
#include "app/cli/catalogue.hpp"
#include "app/cli/dial_positions.hpp"
#include "app/cli/live_session.hpp"
#include "app/cli/table.hpp"

namespace rooftile::cli {
namespace {

using Clock = std::chrono::steady_clock;

// Between two moves, as long as a hand rests; the worker arms its counters again meanwhile.
constexpr std::chrono::milliseconds rest{120};

struct Move {
  Seconds wall;  // request to counted point, the pipe included
  Point point;
};

enum class Ahead { no, yes };

// Ahead: compiled while the hand rests, as the window does with a dial's neighbours.
std::vector<Move> make(Session& session, const std::vector<Configuration>& configurations, Ahead ahead) {
  std::vector<Move> moves;
  for (const Configuration& configuration : configurations) {
    if (ahead == Ahead::yes) {
      session.prepare({configuration});
    }
    std::this_thread::sleep_for(rest);
    const auto start = Clock::now();
    Point point = ask(session, configuration);
    const std::chrono::duration<double> passed = Clock::now() - start;
    if (point.failure) {
      throw Error(fmt::format("{} failed: {}", text(configuration), *point.failure));
    }
    moves.push_back({{passed.count()}, std::move(point)});
  }
  return moves;
}

Seconds quantile(std::vector<double> values, double share) {
  if (values.empty()) {
    return {};
  }
  std::sort(values.begin(), values.end());
  return {values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5)]};
}

Seconds median_phase(const std::vector<Move>& moves, const std::string& name) {
  std::vector<double> values;
  for (const Move& move : moves) {
    for (const Phase& phase : move.point.phases) {
      if (phase.name == name) {
        values.push_back(phase.duration.value);
      }
    }
  }
  return quantile(std::move(values), 0.5);
}

// Until the point was timed: all but counting.
Seconds median_until_timed(const std::vector<Move>& moves) {
  std::vector<double> values;
  for (const Move& move : moves) {
    double sum = 0;
    for (const Phase& phase : move.point.phases) {
      sum += phase.name == "count" ? 0 : phase.duration.value;
    }
    values.push_back(sum);
  }
  return quantile(std::move(values), 0.5);
}

const std::vector<std::string> phase_names = {"compile", "load", "verify", "time", "count"};

std::vector<double> walls(const std::vector<Move>& moves) {
  std::vector<double> values;
  for (const Move& move : moves) {
    values.push_back(move.wall.value);
  }
  return values;
}

nlohmann::json json(const std::vector<Move>& moves) {
  nlohmann::json row = {{"moves", moves.size()},
                        {"median_s", quantile(walls(moves), 0.5).value},
                        {"p95_s", quantile(walls(moves), 0.95).value},
                        {"timed_median_s", median_until_timed(moves).value}};
  for (const std::string& name : phase_names) {
    row[name + "_median_s"] = median_phase(moves, name).value;
  }
  return row;
}

void add_row(Table& table, const std::string& title, const std::vector<Move>& moves) {
  std::vector<std::string> row = {title, count(static_cast<double>(moves.size())),
                                  text(quantile(walls(moves), 0.5)), text(quantile(walls(moves), 0.95)),
                                  text(median_until_timed(moves))};
  for (const std::string& name : phase_names) {
    row.push_back(text(median_phase(moves, name)));
  }
  table.add(row);
}

int bench(const Options& options, const std::string& name, double size, std::size_t most) {
  const Manifest kernel = kernel_named(options, name);
  {
    Session first = start(options);  // measures what is kept for a machine: the roofs
    wait_until_started(first);
  }
  const auto begin = Clock::now();
  Session session = start(options);
  wait_until_started(session);
  const std::chrono::duration<double> ready = Clock::now() - begin;
  expect_device(session);
  auto positions = dial_positions(kernel, {{"N", size}}, most + most / 2);
  if (positions.size() < most + most / 2) {
    throw UsageError(fmt::format("The dials of {} have {} positions, fewer than {} moves need: ask for fewer.",
                                 name, positions.size(), most));
  }
  const std::vector<Configuration> foreseen(positions.begin() + static_cast<std::ptrdiff_t>(most),
                                            positions.end());
  positions.resize(most);
  // As before a hand moves: inputs and reference are there, and who compiles ahead has started.
  const Configuration first{kernel.name, {{"N", size}}, Caches::cold};
  session.prepare({first});
  ask(session, first);
  std::vector<Move> compiled, cached;
  for (int round = 0; round < 2; ++round) {
    for (Move& move : make(session, positions, Ahead::no)) {
      (move.point.compiled->from_cache ? cached : compiled).push_back(std::move(move));
    }
  }
  const std::vector<Move> ahead = make(session, foreseen, Ahead::yes);
  if (options.json) {
    fmt::print("{}\n", nlohmann::json{{"kernel", name},
                                      {"N", size},
                                      {"ready_s", ready.count()},
                                      {"compiled", json(compiled)},
                                      {"ahead", json(ahead)},
                                      {"cached", json(cached)}}
                           .dump(2));
    return success;
  }
  std::vector<std::string> head = {"cubin", "moves", "median", "95 %", "timed"};
  head.insert(head.end(), phase_names.begin(), phase_names.end());
  Table table(head, "lrrrrrrrrr");
  add_row(table, "compiled", compiled);
  add_row(table, "compiled ahead", ahead);
  add_row(table, "cached", cached);
  fmt::print(
      "The worker was ready after {}.\nFrom the moved dial to the counted point, {} N = {}; phases are "
      "medians.\n{}",
      text(Seconds{ready.count()}), name, count(size), table.text());
  return success;
}

}  // namespace

void add_bench_latency(CLI::App& group, const Options& options, int& status) {
  auto* verb = group.add_subcommand("latency", "From the moved dial to the counted point");
  struct Question {
    std::string kernel = "sgemm_tiled";
    double size = 1024;
    std::size_t moves = 40;
  };
  auto asked = std::make_shared<Question>();
  verb->add_option("KERNEL", asked->kernel, "Its name");
  verb->add_option("--size", asked->size, "The problem size N");
  verb->add_option("--moves", asked->moves, "How many dial positions");
  verb->callback(
      [&options, &status, asked] { status = bench(options, asked->kernel, asked->size, asked->moves); });
}

}  // namespace rooftile::cli
