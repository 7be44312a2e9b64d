// The roofs of a GPU side by side, each in the three ways it can be known.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/roofline/roofline.hpp"

namespace rooftile {

struct RoofRow {
  std::string name;                                  // "DRAM", "BF16 tensor"
  std::optional<MemoryLevel> level;                  // empty: a compute roof
  std::string measured, sustained, spec, datasheet;  // "4.38 TB/s"; a dash: not known; empty: does not apply
  std::vector<std::string> sources;                  // "measured 4.38 TB/s: the fastest of ..."
};

// Memory levels from far to near, then pipes and warp issue; roofs of which nothing is known are left out.
std::vector<RoofRow> roof_table(const Roofs& roofs);

}  // namespace rooftile
