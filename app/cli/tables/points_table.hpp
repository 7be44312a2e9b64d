// Many points, one a row.
#pragma once

#include <vector>

#include "app/cli/tables/findings.hpp"
#include "app/cli/tables/text_table.hpp"

namespace rooftile::cli {

enum class AdviceColumn { left_out, last };
TextTable points_table(const std::vector<Findings>& points, AdviceColumn advice = AdviceColumn::left_out);

}  // namespace rooftile::cli
