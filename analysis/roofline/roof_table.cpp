#include "analysis/roofline/roof_table.hpp"

#include <fmt/format.h>

#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

std::string text(const MemoryRoof& roof) {
  return text(roof.bandwidth);
}

// Fills in the three figures and says where each comes from.
template <class Name>
void add_figures(RoofRow& row, const Roofs& roofs, const Name& name) {
  const std::pair<Origin, std::string RoofRow::*> figures[] = {{Origin::measured, &RoofRow::measured},
                                                               {Origin::spec, &RoofRow::spec},
                                                               {Origin::datasheet, &RoofRow::datasheet}};
  for (const auto& [origin, figure] : figures) {
    const auto* roof = roofs.find(name, origin);
    row.*figure = roof ? text(*roof) : unknown_text;
    if (roof) {
      row.sources.push_back(fmt::format("{} {}: {}", key(origin), row.*figure, roof->source));
    }
  }
}

void add_sustained(RoofRow& row, const Roofs& roofs) {
  const ComputeRoof* measured = roofs.find(row.name, Origin::measured);
  if (measured && measured->sustained) {
    row.sustained = text(*measured->sustained, measured->pipe);
  }
}

}  // namespace

std::vector<RoofRow> roof_table(const Roofs& roofs) {
  std::vector<RoofRow> rows;
  const auto add = [&](const RoofRow& row) {
    if (!row.sources.empty()) {
      rows.push_back(row);
    }
  };
  for (const MemoryLevel level : memory_levels) {
    RoofRow row;
    row.name = title(level);
    row.level = level;
    add_figures(row, roofs, level);
    add(row);
  }
  std::vector<std::string> names(pipes.begin(), pipes.end());
  names.emplace_back(warp_issue);
  for (const std::string& name : names) {
    RoofRow row;
    row.name = name;
    add_figures(row, roofs, name);
    add_sustained(row, roofs);
    add(row);
  }
  return rows;
}

}  // namespace rooftile
