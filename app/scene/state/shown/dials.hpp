// The dials: their places, and why one is greyed out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/record/point.hpp"

namespace rooftile::scene {

// A place where dials can stand.
struct Place {
  Parameters values;  // complete
  Caches caches = Caches::cold;
};

// One place of a dial. A reason greys it out.
struct DialOption {
  double value = 0;
  std::string text;
  std::optional<std::string> why_not;
};

struct Dial {
  std::string name;   // of the parameter
  std::string label;  // for people
  std::string unit;
  std::vector<DialOption> options;
  std::size_t selected = 0;
  bool in_more = false;    // a size or scalar most people leave alone
  bool following = false;  // has not been set: moves with another
  std::vector<std::string> facts = {};
  std::string values_to_offer = {};  // "4, 8, 16" of a constant of the source with one value; empty: of others
};

}  // namespace rooftile::scene
