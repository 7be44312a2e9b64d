// The time of a program by the NVTX ranges that were open, or the functions that led to a launch, as a tree.
#pragma once

#include "analysis/record/program/program_points.hpp"
#include "app/cli/tables/text_table.hpp"

namespace rooftile::cli {

// A row for a range and all inside it, those below it indented, most time first. A range that holds nothing but
// one other shares its row: "step/loss". At most so many rows, of the ranges with most time; the last
// row is "(none)". Empty unless ranges or callers were asked for. title: of its first column.
TextTable range_table(const ProgramTotals& totals, std::size_t most, const std::string& title);

}  // namespace rooftile::cli
