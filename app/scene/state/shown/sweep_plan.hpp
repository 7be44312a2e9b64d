// The panel of the sweep.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace rooftile::scene {

struct SweepDial {
  struct Value {
    double value = 0;
    std::string text;
    bool chosen = false;
  };
  std::string name, label;
  std::vector<Value> values;
  bool all_chosen = false;
};

struct SweepPlan {
  std::string from;  // all that the places depend on
  std::vector<SweepDial> dials;
  std::size_t launches = 0;
  std::string size;                    // "36 launches; 4 of 40 places are not legal: ..."
  std::string duration;                // "About 12 s."
  std::optional<std::string> why_not;  // nothing can be launched
};

}  // namespace rooftile::scene
