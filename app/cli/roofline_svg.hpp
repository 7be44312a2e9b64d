// A report as one drawing: the chart, and beside it what bounds the best of each kernel.
#pragma once

#include "app/cli/report_data.hpp"
#include "app/cli/svg.hpp"

namespace rooftile::cli {

Svg roofline_svg(const Report& report);

}  // namespace rooftile::cli
