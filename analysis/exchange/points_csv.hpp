// Launches as a table for spreadsheets: comma-separated values (RFC 4180, with ends of lines as in Unix).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/verdict/launch_report.hpp"

namespace rooftile {

// One row for each launch in their order, those that failed included. Times in s, bytes in B, rates in FLOP/s,
// shares between 0 and 1; what is not known is empty. After the verdict a column for each parameter that any
// kernel has, then the other cells, the advice and the flags. Text of others is made safe: csv_cell.
std::string points_csv(const std::vector<LaunchReport>& launches);

// True of a text that begins as points_csv() does.
bool is_points_csv(std::string_view text);

// The cells but these, as columns at the end of a table.
std::vector<CellKey> cells_beside(std::span<const CellKey> first);
// "One sentence. Another."
std::string flags_text(const LaunchReport& launch);

}  // namespace rooftile
