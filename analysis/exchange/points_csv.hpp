// Every launch of a session as a table for spreadsheets: comma-separated values (RFC 4180, with
// ends of lines as in Unix).
#pragma once

#include <string>
#include <string_view>

#include "analysis/record/session_file.hpp"

namespace rooftile {

// One row for each launch in launch order, those that failed included. Times in s, bytes in B, rates in FLOP/s,
// shares between 0 and 1; what is not known is empty. After the verdict a column for each parameter that any
// kernel of the session has. Text of others is made safe: csv_cell.
std::string points_csv(const SessionLog& log);

// True of a text that begins as points_csv() does.
bool is_points_csv(std::string_view text);

}  // namespace rooftile
