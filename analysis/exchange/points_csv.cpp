#include "analysis/exchange/points_csv.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "analysis/text/csv_row.hpp"

namespace rooftile {
namespace {

constexpr std::string_view csv_header =
    "id,kernel,gpu,caches,evidence,time_s,spread,flops_per_s,share_of_nearest_roof,dram_bytes,l2_bytes,"
    "theoretical_occupancy,achieved_occupancy,registers_per_thread,bound_by,verdict,grounds,failure";
constexpr std::array first_cells = {CellKey{Figure::time},
                                    CellKey{Figure::spread},
                                    CellKey{Figure::performance},
                                    CellKey{Figure::nearest_share},
                                    CellKey{Figure::bytes, MemoryLevel::dram},
                                    CellKey{Figure::bytes, MemoryLevel::l2},
                                    CellKey{Figure::theoretical_occupancy},
                                    CellKey{Figure::achieved_occupancy},
                                    CellKey{Figure::registers}};

void add_identity(CsvRow& row, const Point& point) {
  row.add(std::to_string(point.id));
  row.add(point.kernel);
  row.add(point.gpu);
  row.add(point.caches == Caches::cold ? "cold" : "warm");
  row.add(key(point.evidence()));
}

void add_verdict(CsvRow& row, const LaunchReport& launch) {
  row.add(launch.verdict.bound_by);
  row.add(launch.verdict.title);
  row.add(launch.verdict.grounds);
  row.add(launch.point.failure.value_or(""));
}

void add_cells(CsvRow& row, const LaunchReport& launch, std::span<const CellKey> keys) {
  for (const CellKey key : keys) {
    row.add(value_of(key, launch.facts()));
  }
}

std::string row_of(const LaunchReport& launch, const std::set<std::string>& parameters,
                   std::span<const CellKey> last_cells) {
  CsvRow row;
  add_identity(row, launch.point);
  add_cells(row, launch, first_cells);
  add_verdict(row, launch);
  for (const std::string& name : parameters) {
    const auto value = launch.point.parameters.find(name);
    row.add(value != launch.point.parameters.end() ? std::optional(value->second) : std::nullopt);
  }
  add_cells(row, launch, last_cells);
  row.add(launch.advice ? launch.advice->sentence : "");
  row.add(flags_text(launch));
  return row.line();
}

}  // namespace

std::string points_csv(const std::vector<LaunchReport>& launches) {
  std::set<std::string> parameters;
  for (const LaunchReport& launch : launches) {
    for (const auto& [name, value] : launch.point.parameters) {
      parameters.insert(name);
    }
  }
  const std::vector<CellKey> last_cells = cells_beside(first_cells);
  std::string table(csv_header);
  for (const std::string& name : parameters) {
    table += "," + csv_cell(name);
  }
  for (const CellKey key : last_cells) {
    table += "," + id_of(key);
  }
  table += ",advice,flags\n";
  for (const LaunchReport& launch : launches) {
    table += row_of(launch, parameters, last_cells);
  }
  return table;
}

bool is_points_csv(std::string_view text) {
  return text.starts_with(csv_header);
}

std::vector<CellKey> cells_beside(std::span<const CellKey> first) {
  std::vector<CellKey> others = cell_keys();
  std::erase_if(others, [&](CellKey key) { return std::ranges::find(first, key) != first.end(); });
  return others;
}

std::string flags_text(const LaunchReport& launch) {
  return fmt::format("{}", fmt::join(launch.flags(), " "));
}

}  // namespace rooftile
