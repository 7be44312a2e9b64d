#include "analysis/exchange/points_csv.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

#include "analysis/roofline/example_point.hpp"

namespace rooftile {
namespace {

using testing::SizeIs;

// A session of the example GPU, whose SM is not known.
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

std::string table_of(const std::vector<Point>& points) {
  return points_csv(launch_reports(session_of(points)));
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
  const auto rows = rows_of(table_of({launch(7, example::counted_gemm(), {{"TILE", 32}})}));
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
      {"flops", "17179869184"},
      {"l1_bytes", "2170000000"},
      {"shared_bytes", "53888000000"},
      {"distributed_bytes", ""},
      {"dram_intensity_flops_per_byte", "398.60485345707656"},
      {"bank_conflict_wavefronts", "1800000"},
      {"advice", ""},
      {"flags", ""},
  };
  for (const auto& [column, value] : expected) {
    EXPECT_EQ(cell(rows, 1, column), value) << column;
  }
}

TEST(PointsCsv, HasAColumnForEachParameterOfAnyKernelAndEveryRowIsAsLong) {
  Point failed = launch(2, example::predicted_gemm(), {{"PAD", 1}});
  failed.failure = "It hung.";
  const auto rows = rows_of(table_of({launch(1, example::timed_gemm(), {{"TILE", 8}}), failed}));
  ASSERT_THAT(rows, SizeIs(3));
  EXPECT_EQ(cell(rows, 1, "PAD") + "|" + cell(rows, 1, "TILE"), "|8");
  EXPECT_EQ(cell(rows, 2, "PAD") + "|" + cell(rows, 2, "TILE"), "1|");
  EXPECT_EQ(cell(rows, 2, "time_s") + "|" + cell(rows, 2, "failure"), "|It hung.");
  EXPECT_THAT(rows[2], SizeIs(rows[0].size()));
}

TEST(PointsCsv, TheColumnsBeforeTheParametersAreThoseOfEveryVersion) {
  EXPECT_THAT(
      table_of({launch(1, example::timed_gemm(), {{"TILE", 8}})}),
      testing::StartsWith(
          "id,kernel,gpu,caches,evidence,time_s,spread,flops_per_s,share_of_nearest_roof,dram_bytes,l2_bytes,"
          "theoretical_occupancy,achieved_occupancy,registers_per_thread,bound_by,verdict,grounds,failure,"
          "TILE,flops,"));
}

TEST(PointsCsv, HasTheAdviceAndTheFlagsOfALaunch) {
  Point point = launch(1, example::counted_gemm(), {});
  point.counters->achieved_occupancy = 1.1;
  std::vector<LaunchReport> reports = launch_reports(session_of({point}));
  reports[0].advice = AdviceInWords{{}, "Set Tile to 32.", {}};
  const auto rows = rows_of(points_csv(reports));
  EXPECT_EQ(cell(rows, 1, "advice"), "Set Tile to 32.");
  EXPECT_THAT(cell(rows, 1, "flags"), testing::HasSubstr("Achieved occupancy 110 %"));
}

TEST(PointsCsv, WhatAStrangerWroteIsNoFormula) {
  Point hostile = launch(1, example::timed_gemm(), {{"=1+1", 3}});
  hostile.kernel = "=cmd|' /C calc'!A0";
  const std::string table = table_of({hostile});
  EXPECT_THAT(table, testing::HasSubstr(",'=1+1,flops,"));
  EXPECT_THAT(table, testing::HasSubstr("\n1,'=cmd|' /C calc'!A0,"));
}

TEST(PointsCsv, IsRecognisedByItsHeader) {
  EXPECT_TRUE(is_points_csv(points_csv({})));
  EXPECT_FALSE(is_points_csv("id,kernel\n1,mine\n"));
}

}  // namespace
}  // namespace rooftile
