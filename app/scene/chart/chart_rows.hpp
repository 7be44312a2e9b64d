// Launches as rows of dots: which a chart shows, and what is said of one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// The place of the launch, without words.
ChartRow chart_row(const Point& point, const Placement& placement);
// "9.30 TFLOP/s"; of a launch without FLOPs its time.
std::string figure(const Placement& placement);

// [FLOP/s]; of a kernel without FLOPs what it moves through DRAM [B/s].
std::optional<double> rate_of(const Placement& placement);

// Its dots become specks, on charts that place launches by intensity.
void add_to_crowd(Chart& chart, const ChartRow& row, std::optional<double> occupancy = {});

// The visited points of the chosen kernel and the pinned ones, oldest first, the current one last.
void add_rows(Chart& chart, const AppState& state, PlacedRows& placed, const Roofs& roofs);

// Facts of one level: its place, its share of the roof, and where the numbers come from.
std::vector<std::string> level_facts(const Point& point, const Placement& placement, const LevelUse& use);
// The words for a dot under the pointer: the launch, then the facts of its level.
std::vector<std::string> dot_facts(const AppState& state, std::uint64_t id, MemoryLevel level);

// Whether its bytes at L2 were counted by the definition.
bool counted_by(const Point& point, ByteDefinition definition);

}  // namespace rooftile::scene
