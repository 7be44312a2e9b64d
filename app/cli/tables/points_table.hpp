// Many points, one per row.
#pragma once

#include <vector>

#include "analysis/verdict/launch_report.hpp"
#include "app/cli/tables/text_table.hpp"

namespace rooftile::cli {

enum class AdviceColumn { left_out, last };
TextTable points_table(const std::vector<LaunchReport>& points, AdviceColumn advice = AdviceColumn::left_out);

// The lines below a table that explain its "!", one per launch; empty where there are none.
std::string flag_lines(const std::vector<LaunchReport>& points);
// "FP32"; "FP32 !" of a launch with flags.
std::string marked_bound(const LaunchReport& launch);
// Names of a library's templates have thousands of letters.
std::string name_in_a_row(const LaunchReport& launch);

}  // namespace rooftile::cli
