#include "analysis/exchange/points_csv.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

#include "analysis/roofline/example_point.hpp"

namespace rooftile {
namespace {

using testing::SizeIs;

// Of the example GPU, whose SM is not known.
SessionLog session_of(const std::vector<Point>& points) {
  SessionLog log;
  log.add(RoofsRecord{example::h200_roofs()});
  for (const Point& point : points) {
    log.add(point);
  }
  return log;
}

Point launch(std::uint64_t id, Point point, Parameters parameters) {
  point.id = id;
  point.parameters = std::move(parameters);
  point.final = true;
  return point;
}

// A comma between quotes is no end of a field.
std::vector<std::vector<std::string>> rows_of(const std::string& table) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    bool quoted = false;
    rows.emplace_back(1);
    for (const char letter : line) {
      quoted = quoted != (letter == '"');
      if (letter == ',' && !quoted) {
        rows.back().emplace_back();
      } else if (letter != '"') {
        rows.back().back() += letter;
      }
    }
  }
  return rows;
}

std::string cell(const std::vector<std::vector<std::string>>& rows, std::size_t row,
                 const std::string& column) {
  const auto at = std::ranges::find(rows.at(0), column);
  return at == rows[0].end() ? "no such column"
                             : rows.at(row).at(static_cast<std::size_t>(at - rows[0].begin()));
}

TEST(PointsCsv, HoldsTheFiguresOfALaunchInPlainUnits) {
  const auto rows = rows_of(points_csv(session_of({launch(7, example::counted_gemm(), {{"TILE", 32}})})));
  const std::pair<const char*, const char*> expected[] = {
      {"id", "7"},
      {"kernel", "sgemm_tiled"},
      {"gpu", "NVIDIA H200"},
      {"caches", "cold"},
      {"evidence", "counted"},
      {"time_s", "0.001843"},
      {"dram_bytes", "43100000"},
      {"l2_bytes", "1900000000"},
      {"achieved_occupancy", "0.975"},
      {"theoretical_occupancy", ""},
      {"registers_per_thread", "32"},
      {"failure", ""},
      {"TILE", "32"},
  };
  for (const auto& [column, value] : expected) {
    EXPECT_EQ(cell(rows, 1, column), value) << column;
  }
}

TEST(PointsCsv, HasAColumnForEachParameterOfAnyKernelAndEveryRowIsAsLong) {
  Point failed = launch(2, example::predicted_gemm(), {{"PAD", 1}});
  failed.failure = "It hung.";
  const auto rows = rows_of(points_csv(session_of({launch(1, example::timed_gemm(), {{"TILE", 8}}), failed})));
  ASSERT_THAT(rows, SizeIs(3));
  EXPECT_EQ(cell(rows, 1, "PAD") + "|" + cell(rows, 1, "TILE"), "|8");
  EXPECT_EQ(cell(rows, 2, "PAD") + "|" + cell(rows, 2, "TILE"), "1|");
  EXPECT_EQ(cell(rows, 2, "time_s") + "|" + cell(rows, 2, "failure"), "|It hung.");
  EXPECT_THAT(rows[2], SizeIs(rows[0].size()));
}

TEST(PointsCsv, WhatAStrangerWroteIsNoFormula) {
  Point hostile = launch(1, example::timed_gemm(), {{"=1+1", 3}});
  hostile.kernel = "=cmd|' /C calc'!A0";
  const std::string table = points_csv(session_of({hostile}));
  EXPECT_THAT(table, testing::HasSubstr(",'=1+1\n"));
  EXPECT_THAT(table, testing::HasSubstr("\n1,'=cmd|' /C calc'!A0,"));
}

TEST(PointsCsv, IsRecognisedByItsHeader) {
  EXPECT_TRUE(is_points_csv(points_csv({})));
  EXPECT_FALSE(is_points_csv("id,kernel\n1,mine\n"));
}

}  // namespace
}  // namespace rooftile
