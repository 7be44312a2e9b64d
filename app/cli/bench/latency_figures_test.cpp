#include "app/cli/bench/latency_figures.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace rooftile::cli {
namespace {

TimedMove move(double wall, std::vector<Phase> phases = {}) {
  TimedMove made;
  made.wall = {wall};
  made.placed = {wall / 2};
  made.point.phases = std::move(phases);
  return made;
}

std::vector<TimedMove> moves(const std::vector<double>& walls) {
  std::vector<TimedMove> all;
  for (const double wall : walls) {
    all.push_back(move(wall));
  }
  return all;
}

TEST(LatencyFigures, MedianAndTheSlowestOfTwenty) {
  const struct {
    std::vector<double> walls;
    double median, p95;
  } rows[] = {
      {{}, 0, 0},
      {{3}, 3, 3},
      {{2, 1}, 2, 2},
      {{3, 1, 2}, 2, 3},
      {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 99}, 11, 20},
  };
  for (const auto& row : rows) {
    const auto figures = json_of(moves(row.walls));
    EXPECT_EQ(figures.at("moves"), row.walls.size());
    EXPECT_EQ(figures.at("median_s"), row.median) << row.walls.size();
    EXPECT_EQ(figures.at("p95_s"), row.p95) << row.walls.size();
    EXPECT_EQ(figures.at("placed_median_s"), row.median / 2) << row.walls.size();
    EXPECT_EQ(figures.at("placed_p95_s"), row.p95 / 2) << row.walls.size();
  }
}

TEST(LatencyFigures, PhasesAreMediansOfThoseThatHadThem) {
  const auto figures =
      json_of({move(1, {{"compile", {3}}, {"time", {1}}, {"count", {9}}}),
               move(1, {{"compile", {5}}, {"time", {1}}, {"count", {9}}}), move(1, {{"time", {2}}})});
  EXPECT_EQ(figures.at("compile_median_s"), 5) << "of two";
  EXPECT_EQ(figures.at("time_median_s"), 1);
  EXPECT_EQ(figures.at("count_median_s"), 9);
  EXPECT_EQ(figures.at("load_median_s"), 0) << "none had it";
  EXPECT_EQ(figures.at("timed_median_s"), 4) << "4, 6 and 2: all but counting";
}

TEST(LatencyFigures, TheTableHasARowForEachKindOfMove) {
  const TextTable table =
      latency_table({{"compiled", {move(0.25, {{"compile", {0.04}}, {"count", {0.1}}})}}, {"cached", {}}});
  EXPECT_EQ(table.text(),
            "cubin     moves  placed    95 %  counted    95 %    timed  compile  load  verify  time   count\n"
            "compiled      1  125 ms  125 ms   250 ms  250 ms  40.0 ms  40.0 ms   0 s     0 s   0 s  100 ms\n"
            "cached        0     0 s     0 s      0 s     0 s      0 s      0 s   0 s     0 s   0 s     0 s\n");
}

}  // namespace
}  // namespace rooftile::cli
