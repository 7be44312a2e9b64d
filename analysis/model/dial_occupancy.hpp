// The blocks on an SM at each value of a kernel's dials, the other dials as they are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/chip/occupancy.hpp"
#include "analysis/manifest/manifest.hpp"
#include "analysis/model/compiled_table.hpp"

namespace rooftile {

struct DialPlace {
  double value = 0;
  BlockResources block;
  int blocks = 0;    // resident on one SM
  double ratio = 0;  // occupancy
};

struct DialOccupancy {
  std::string name, label;        // of the dial
  std::vector<DialPlace> places;  // legal places where the needs of a block are known
  double present = 0;
};

std::vector<DialOccupancy> occupancy_by_dial(const Manifest& manifest, const Parameters& parameters,
                                             const Gpu& gpu, const CompiledAt& compiled_at);

// The nearest value at either side of the present one with which another number of blocks or warps fits.
struct DialStep {
  std::string name, label;
  DialPlace place;
};
std::vector<DialStep> dial_steps(const std::vector<DialOccupancy>& dials);
std::string text(const DialStep& step);  // "tile 32 would hold 2 blocks, occupancy 100 %"

}  // namespace rooftile
