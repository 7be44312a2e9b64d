// The visited points as a table.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/record/point.hpp"
#include "analysis/verdict/launch_report.hpp"

namespace rooftile::scene {

// A visited point as a line of the table.
struct TableRow {
  std::uint64_t id = 0;
  Evidence evidence = Evidence::predicted;
  bool pinned = false;
  bool current = false;
  std::string name;  // that the user gave it; may be empty
  std::string kernel, bound_by;
  Cell time, beside, rate, share, intensity, dram, occupancy;
  std::string dials;               // the dials in which the kernel's points differ come first
  std::vector<std::string> facts;  // every dial, for the reader who points at it
  std::optional<std::string> failure;
};

enum class TableColumn { launch, time, beside, rate, share, intensity, dram, occupancy, bound_by };

// How the user looks at the table of points.
struct TableChoice {
  std::optional<TableColumn> sorted_by = {};  // empty: newest first
  bool descending = false;
  std::string filter = {};  // words that each line shown contains
  std::set<TableColumn> hidden = {};
  bool operator==(const TableChoice&) const = default;
};

// The visited points that pass the filter; what a line says is worked out by table_row() when it is drawn.
struct PointTable {
  std::string from;  // all that it depends on
  std::vector<std::uint64_t> ids;
  std::map<std::string, std::set<std::string>> differing;  // dials, by kernel
  std::map<std::string, std::uint64_t> first;              // launch of each kernel
  std::vector<std::uint64_t> trail;                        // that it was made from
  std::vector<std::uint64_t> visited;  // the trail's launches on the chosen GPU, before the filter
};

}  // namespace rooftile::scene
