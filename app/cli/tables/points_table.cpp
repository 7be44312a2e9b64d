#include "app/cli/tables/points_table.hpp"

#include <algorithm>
#include <string>

#include "analysis/record/program_points.hpp"
#include "analysis/text/format.hpp"

namespace rooftile::cli {
namespace {

std::string dram_bytes(const Placement& placement) {
  const LevelUse* dram = placement.level(MemoryLevel::dram);
  return dram != nullptr ? text(dram->bytes) : unknown_text;
}

// Achieved where it was counted.
std::string occupancy_text(const Findings& found) {
  if (found.point.counters && found.point.counters->achieved_occupancy) {
    return percent(*found.point.counters->achieved_occupancy);
  }
  return found.occupancy ? percent(found.occupancy->ratio()) : unknown_text;
}

std::string bound_by(const Findings& found) {
  const Evidence evidence = found.placement->evidence;
  const std::string how = evidence == Evidence::counted ? "" : " (" + std::string(word(evidence)) + ")";
  return found.verdict->bound_by + how;
}

// Names of a library's templates have thousands of letters.
std::string name_in_a_row(const Findings& found) {
  return found.point.program ? short_kernel_name(found.point.kernel) : found.name;
}

std::vector<std::string> row_without_advice(const Findings& found) {
  if (!found.placement) {
    const std::string why = found.point.failure.value_or("nothing to place it by");
    return {name_in_a_row(found), unknown_text, unknown_text, unknown_text, unknown_text, unknown_text, why};
  }
  const auto& placement = *found.placement;
  return {name_in_a_row(found),
          text(placement.time),
          text_or_dash(placement.performance),
          percent_or_dash(placement.largest_share()),
          dram_bytes(placement),
          occupancy_text(found),
          bound_by(found)};
}

}  // namespace

TextTable points_table(const std::vector<Findings>& points, AdviceColumn advice) {
  std::vector<std::string> columns = {"variant", "time",      "performance", "of its roof",
                                      "DRAM",    "occupancy", "bound by"};
  std::string sides = "lrrrrrl";
  if (advice == AdviceColumn::last) {
    columns.emplace_back("advice");
    sides += 'l';
  }
  TextTable table(columns, sides);
  for (const auto& found : points) {
    std::vector<std::string> row = row_without_advice(found);
    if (advice == AdviceColumn::last) {
      row.push_back(found.advice_sentence);
    }
    table.add(row);
  }
  return table;
}

}  // namespace rooftile::cli
