// Many points, one a row.
#pragma once

#include <vector>

#include "app/cli/findings.hpp"
#include "app/cli/text_table.hpp"

namespace rooftile::cli {

enum class Advice { left_out, last_column };
TextTable points_table(const std::vector<Findings>& points, Advice advice = Advice::left_out);

}  // namespace rooftile::cli
