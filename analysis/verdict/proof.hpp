// The checks that stand beside a point's numbers: what must always hold, and whether it did.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/chip/occupancy.hpp"
#include "analysis/record/point.hpp"
#include "analysis/roofline/roofline.hpp"

namespace rooftile {

struct Check {
  enum class State { passed, failed, unknown };
  State state = State::unknown;
  std::string sentence;      // "counted FLOPs = model, exactly"
  std::string meaning = {};  // what is held against what, and why it must hold
};
std::string_view key(Check::State state);  // "passed"

// Verified; counted FLOPs equal the model's; L1 >= L2 >= DRAM or why not; nothing above its roof; clock;
// repeats.
std::vector<Check> prove(const Point& point, const Placement& placement,
                         const std::optional<Occupancy>& occupancy);

}  // namespace rooftile
