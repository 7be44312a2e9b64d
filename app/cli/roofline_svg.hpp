// The roofline of a session as a drawing: every point faintly, the best of each kernel in full with a dot a
// level.
#pragma once

#include <string>
#include <vector>

#include "app/cli/findings.hpp"
#include "app/cli/svg.hpp"

namespace rooftile::cli {

struct Report {
  std::string gpu;     // title line
  std::string origin;  // "recorded in h200.jsonl", "measured now"
  Roofs roofs;
  std::vector<Findings> all;   // placed ones
  std::vector<Findings> best;  // one a kernel
};

Svg roofline_svg(const Report& report);

}  // namespace rooftile::cli
