// The time of a program by the NVTX ranges that were open, as a tree.
#pragma once

#include "analysis/record/program/program_points.hpp"
#include "app/cli/tables/text_table.hpp"

namespace rooftile::cli {

// A row for a range and all inside it, those below it indented, most time first. A range that holds nothing but
// one other shares its row: "step/loss". At most so many rows, of the ranges with most time. Empty unless
// ranges were asked for.
TextTable range_table(const ProgramTotals& totals, std::size_t most);

}  // namespace rooftile::cli
