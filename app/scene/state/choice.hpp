// The user's choice: the kernel, where its dials stand, and which launches stay in sight.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/record/point.hpp"

namespace rooftile::scene {

// Undo brings an older one back.
struct Choice {
  std::string gpu;
  std::string kernel;
  std::map<std::string, Parameters> given;  // by kernel; the rest has the manifest's defaults
  Caches caches = Caches::cold;
  std::vector<std::uint64_t> trail;            // points visited, newest last
  std::size_t joined = 0;                      // how many of the session's live launches have joined it
  std::set<std::uint64_t> pinned;              // stay on the chart whatever is dialled
  std::map<std::uint64_t, std::string> names;  // that the user gave to launches
  std::optional<std::uint64_t> selected;       // by hand, until a dial moves
  bool operator==(const Choice&) const = default;
};

}  // namespace rooftile::scene
