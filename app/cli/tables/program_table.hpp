// The launches of a program: a row for each kernel and shape, for a terminal and for a spreadsheet.
#pragma once

#include <string>
#include <vector>

#include "analysis/record/program/program_points.hpp"
#include "analysis/verdict/launch_report.hpp"
#include "app/cli/tables/text_table.hpp"

namespace rooftile::cli {

// all: points of a program. At most so many rows.
TextTable program_table(const std::vector<LaunchReport>& all, std::size_t most);

// Comma-separated values with a header; times in s, bytes in B, rates in FLOP/s, shares between 0 and 1. What
// is not known is empty. After the verdict the other cells of a launch, and its flags.
std::string program_csv(const std::vector<LaunchReport>& all);

}  // namespace rooftile::cli
