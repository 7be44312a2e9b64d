// Many points, one a row.
#pragma once

#include <vector>

#include "app/cli/findings.hpp"
#include "app/cli/text_table.hpp"

namespace rooftile::cli {

TextTable points_table(const std::vector<Findings>& points);

}  // namespace rooftile::cli
