// rooftile-cli bench latency: from the moved dial to the counted point, as somebody who drags it meets it.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <thread>

#include "analysis/manifest/neighbours.hpp"
#include "analysis/text/format.hpp"
#include "app/cli/bench/bench.hpp"
#include "app/cli/bench/latency_figures.hpp"
#include "app/cli/shared/catalogue.hpp"
#include "app/cli/shared/live/live_session.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/tables/dial_positions.hpp"
#include "app/cli/tables/text_table.hpp"

namespace rooftile::cli {
namespace {

using Clock = std::chrono::steady_clock;

// Between two moves, as long as a hand rests; the worker arms its counters again meanwhile.
constexpr std::chrono::milliseconds rest{120};
// Before the first move: the processes that compile ahead start meanwhile.
constexpr std::chrono::milliseconds open_for{1000};

TimedMove move_to(Session& session, const Configuration& configuration) {
  std::this_thread::sleep_for(rest);
  const auto start = Clock::now();
  const std::uint64_t id = session.request(configuration);
  std::optional<Seconds> placed;
  while (session.busy()) {
    session.send();
    session.wait(rest);
    session.poll();
    const Point* point = session.log().points.find(id);
    if (!placed && point != nullptr && point->counters) {
      placed = seconds(Clock::now() - start);
    }
  }
  const Seconds wall = seconds(Clock::now() - start);
  Point point = answer_to(session, id);
  if (point.failure) {
    throw Error(fmt::format("{} failed: {}", text(configuration), *point.failure));
  }
  return {wall, placed.value_or(wall), std::move(point)};
}

// Jumps to places all over the dials, which nobody could foresee.
std::vector<TimedMove> jump(Session& session, const std::vector<Configuration>& configurations) {
  std::vector<TimedMove> moves;
  for (const Configuration& configuration : configurations) {
    moves.push_back(move_to(session, configuration));
  }
  return moves;
}

// Moves one dial at a time, to any of its values, and only to places that are not in `visited`. The places that
// can be reached next are compiled while the hand rests, as in the window.
std::vector<TimedMove> walk(Session& session, const Manifest& kernel, Configuration at,
                            std::set<Parameters> visited, std::size_t most) {
  std::vector<TimedMove> moves;
  std::minstd_rand random(1);
  session.prepare(neighbours(kernel, at));
  std::this_thread::sleep_for(open_for);
  while (moves.size() < most) {
    auto reachable = neighbours(kernel, at);
    session.prepare(reachable);
    std::erase_if(reachable, [&](const Configuration& each) { return visited.contains(each.parameters); });
    if (reachable.empty()) {
      break;
    }
    at = reachable[random() % reachable.size()];
    visited.insert(at.parameters);
    moves.push_back(move_to(session, at));
  }
  return moves;
}

// From one place to others where two dials stand elsewhere, after somebody has looked at it for a while: the
// window compiles them meanwhile.
std::vector<TimedMove> jump_over_two_dials(Session& session, const Manifest& kernel, const Configuration& from,
                                           const std::set<Parameters>& visited, std::size_t most,
                                           Seconds looked_at) {
  auto ahead = neighbours(kernel, from), places = two_dials_away(kernel, from);
  ahead.insert(ahead.end(), places.begin(), places.end());
  session.prepare(ahead);
  for (const auto begin = Clock::now(); seconds(Clock::now() - begin) < looked_at; session.wait(rest)) {
    session.poll();
  }
  std::erase_if(places, [&](const Configuration& each) { return visited.contains(each.parameters); });
  std::ranges::shuffle(places, std::minstd_rand(1));
  places.resize(std::min(places.size(), most));
  return jump(session, places);
}

struct BenchLatencyQuestion {
  std::string kernel = "sgemm_tiled";
  double size = 1024;
  std::size_t moves = 40;
  double looked_at = 10;
};

struct Answer {
  Seconds ready;
  // Jumps to new places and to known ones, a walk over new ones, and jumps over two dials from where one was.
  std::vector<TimedMove> compiled, cached, dragged, jumped;
};

std::vector<Configuration> places(const Manifest& kernel, const BenchLatencyQuestion& asked) {
  auto all = dial_positions(kernel, {{"N", asked.size}}, asked.moves);
  if (all.size() < asked.moves) {
    throw UsageError(fmt::format("The dials of {} have {} positions, fewer than {} moves: ask for fewer.",
                                 kernel.name, all.size(), asked.moves));
  }
  return all;
}

Answer measure(const Options& options, const BenchLatencyQuestion& asked) {
  const Manifest kernel = kernel_named(options, asked.kernel);
  const std::vector<Configuration> positions = places(kernel, asked);
  {
    Session first = start(options);  // measures what is kept for a machine: the roofs
    wait_until_started(first);
  }
  Answer answer;
  const auto begin = Clock::now();
  Session session = start(options);
  wait_until_started(session);
  answer.ready = {std::chrono::duration<double>(Clock::now() - begin).count()};
  expect_device(session);
  const Configuration first{kernel.name, {{"N", asked.size}}, Caches::cold};
  ask(session, first);  // inputs and reference are there before the dial moves
  for (int round = 0; round < 2; ++round) {
    for (TimedMove& move : jump(session, positions)) {
      (move.point.compiled->from_cache ? answer.cached : answer.compiled).push_back(std::move(move));
    }
  }
  std::set<Parameters> visited;
  for (const Configuration& position : positions) {
    visited.insert(complete(kernel, position.parameters));
  }
  answer.jumped = jump_over_two_dials(session, kernel, first, visited, asked.moves, {asked.looked_at});
  answer.dragged = walk(session, kernel, first, std::move(visited), asked.moves);
  return answer;
}

nlohmann::json json(const BenchLatencyQuestion& asked, const Answer& answer) {
  return {{"kernel", asked.kernel},
          {"N", asked.size},
          {"ready_s", answer.ready.value},
          {"compiled", json_of(answer.compiled)},
          {"dragged", json_of(answer.dragged)},
          {"jumped", json_of(answer.jumped)},
          {"cached", json_of(answer.cached)}};
}

int bench(const Options& options, const BenchLatencyQuestion& asked) {
  const Answer answer = measure(options, asked);
  if (options.json) {
    say_json(json(asked, answer));
    return success;
  }
  const TextTable table = latency_table({{"compiled", answer.compiled},
                                         {"one dial, ahead", answer.dragged},
                                         {"two dials, ahead", answer.jumped},
                                         {"cached", answer.cached}});
  say("The worker was ready after {}.\nFrom the moved dial to the counted point, {} N = {}; phases are "
      "medians.\n{}",
      text(answer.ready), asked.kernel, count(asked.size), table.text());
  return success;
}

}  // namespace

void add_bench_latency(CLI::App& group, const Options& options, int& status) {
  auto* verb = group.add_subcommand("latency", "From the moved dial to the counted point");
  auto asked = std::make_shared<BenchLatencyQuestion>();
  verb->add_option("KERNEL", asked->kernel, "Its name");
  verb->add_option("--size", asked->size, "The problem size N");
  verb->add_option("--moves", asked->moves, "How many dial positions");
  verb->add_option("--look", asked->looked_at, "Seconds at a place before two dials are moved from there");
  verb->callback([&options, &status, asked] { status = bench(options, *asked); });
}

}  // namespace rooftile::cli
