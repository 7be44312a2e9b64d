#include "app/cli/tables/program_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analysis/exchange/points_csv.hpp"
#include "analysis/record/program/program_points.hpp"
#include "analysis/text/csv_row.hpp"
#include "analysis/text/format.hpp"
#include "app/cli/tables/points_table.hpp"

namespace rooftile::cli {
namespace {

ProgramLaunches launches_of(const LaunchReport& found) {
  return found.point.program.value_or(ProgramLaunches{});
}

std::string performance(const LaunchReport& found) {
  const Cell rate = found.cell(Figure::performance);
  return rate.value ? fmt::format("{} {}", rate.text, short_name(found.placement->pipe)) : rate.text;
}

// Without counters nothing says what bounds it.
std::string bound_by_text(const LaunchReport& found) {
  return found.point.counters ? found.verdict.bound_by : "not counted";
}

// "dram_read_bytes 12 %"
std::string largest_spread(const Counters& counters) {
  const auto largest =
      std::ranges::max_element(counters.spread, {}, [](const auto& each) { return each.second; });
  return largest == counters.spread.end() || largest->second == 0
             ? "no spread"
             : fmt::format("{} {}", largest->first, percent(largest->second));
}

// "replay", or how many launches, each counted in one pass.
std::string counted_by(const LaunchReport& found) {
  if (!found.point.counters) {
    return is_incomplete(found.point) ? "incomplete" : unknown_text;
  }
  const Counters& counters = *found.point.counters;
  const std::string once =
      launches_of(found).without_replay ? fmt::format("{} launches", counters.passes) : "replay";
  return counters.rounds > 1 ? fmt::format("{} x {}, {}", counters.rounds, once, largest_spread(counters))
                             : once;
}

std::vector<std::string> program_row(const LaunchReport& found, Seconds all) {
  const ProgramLaunches program = launches_of(found);
  std::vector<std::string> cells = {short_kernel_name(found.point.kernel), shape_text(found.point.launch),
                                    count(program.launches), text(program.total),
                                    all.value > 0 ? percent(program.total / all) : unknown_text};
  cells.push_back(found.cell(Figure::time).text);
  cells.push_back(performance(found));
  cells.push_back(found.cell(Figure::nearest_share).marked());
  cells.push_back(found.cell(Figure::intensity, MemoryLevel::dram).text);
  cells.push_back(found.cell(Figure::bytes, MemoryLevel::dram).text);
  cells.push_back(found.cell(Figure::bytes, MemoryLevel::l2).text);
  cells.push_back(found.cell(Figure::achieved_occupancy).marked());
  cells.push_back(!found.placement       ? unknown_text
                  : found.point.counters ? marked_bound(found)
                                         : bound_by_text(found));
  cells.push_back(counted_by(found));
  return cells;
}

constexpr std::string_view csv_columns =
    "kernel,gpu,grid_x,grid_y,grid_z,block_x,block_y,block_z,dynamic_shared_bytes,static_shared_bytes,"
    "registers_per_thread,launches,counted,total_s,median_s,fastest_s,slowest_s,flops_per_s,pipe,"
    "share_of_nearest_roof,dram_bytes,l2_bytes,l1_bytes,shared_bytes,theoretical_occupancy,achieved_occupancy,"
    "warp_instructions,bound_by,verdict,counted_by";

void add_launch(CsvRow& line, const Point& point) {
  line.add(point.kernel);
  line.add(point.gpu);
  for (const Dim3& dim : {point.launch.grid, point.launch.block}) {
    for (const int side : {dim.x, dim.y, dim.z}) {
      line.add(std::optional<double>(side));
    }
  }
  const auto made = [&](int Compiled::*figure) {
    return point.compiled ? std::optional<double>((*point.compiled).*figure) : std::nullopt;
  };
  line.add(std::optional<double>(point.launch.dynamic_shared_bytes));
  line.add(made(&Compiled::static_shared_bytes));
  line.add(made(&Compiled::registers));
}

void add_times(CsvRow& line, const LaunchReport& found) {
  const ProgramLaunches program = launches_of(found);
  const auto time = [&](Seconds Timing::*figure) {
    return found.point.timing ? std::optional(((*found.point.timing).*figure).value) : std::nullopt;
  };
  line.add(std::optional(program.launches));
  line.add(std::optional(program.counted));
  line.add(std::optional(program.total.value));
  line.add(time(&Timing::median));
  line.add(time(&Timing::fastest));
  line.add(time(&Timing::slowest));
}

constexpr std::array<CellKey, 4> level_bytes = {{{Figure::bytes, MemoryLevel::dram},
                                                 {Figure::bytes, MemoryLevel::l2},
                                                 {Figure::bytes, MemoryLevel::l1},
                                                 {Figure::bytes, MemoryLevel::shared}}};

void add_cells(CsvRow& line, const LaunchReport& found, std::span<const CellKey> keys) {
  for (const CellKey key : keys) {
    line.add(value_of(key, found.facts()));
  }
}

// All cells but those before the verdict and those that the launches' times already tell.
std::vector<CellKey> last_cells() {
  std::vector<CellKey> first(level_bytes.begin(), level_bytes.end());
  for (const Figure figure :
       {Figure::time, Figure::performance, Figure::nearest_share, Figure::theoretical_occupancy,
        Figure::achieved_occupancy, Figure::registers, Figure::warp_instructions}) {
    first.push_back({figure});
  }
  return cells_beside(first);
}

void add_place(CsvRow& line, const LaunchReport& found) {
  const auto add = [&](Figure figure) { line.add(value_of({figure}, found.facts())); };
  add(Figure::performance);
  line.add(found.cell(Figure::performance).value ? found.placement->pipe : "");
  add(Figure::nearest_share);
  add_cells(line, found, level_bytes);
  add(Figure::theoretical_occupancy);
  add(Figure::achieved_occupancy);
  add(Figure::warp_instructions);
  line.add(bound_by_text(found));
  line.add(found.point.counters ? found.verdict.title + ". " + found.verdict.grounds : "");
  line.add(found.point.counters || is_incomplete(found.point) ? counted_by(found) : "");
  add_cells(line, found, last_cells());
  line.add(flags_text(found));
}

}  // namespace

TextTable program_table(const std::vector<LaunchReport>& all, std::size_t most) {
  TextTable table({"kernel", "grid x block", "launches", "time", "share", "each", "performance", "of its roof",
                   "intensity", "DRAM", "L2", "achieved occupancy", "bound by", "counted by"},
                  "llrrrrrrrrrrll");
  Seconds sum;
  for (const LaunchReport& found : all) {
    sum += launches_of(found).total;
  }
  for (std::size_t i = 0; i < std::min(most, all.size()); ++i) {
    table.add(program_row(all[i], sum));
  }
  return table;
}

std::string program_csv(const std::vector<LaunchReport>& all) {
  std::string table(csv_columns);
  for (const CellKey key : last_cells()) {
    table += "," + id_of(key);
  }
  table += ",flags\n";
  for (const LaunchReport& found : all) {
    CsvRow line;
    add_launch(line, found.point);
    add_times(line, found);
    add_place(line, found);
    table += line.line();
  }
  return table;
}

}  // namespace rooftile::cli
