// Many points, one a row.
#pragma once

#include <vector>

#include "app/cli/findings.hpp"
#include "app/cli/table.hpp"

namespace rooftile::cli {

Table points_table(const std::vector<Findings>& points);

}  // namespace rooftile::cli
