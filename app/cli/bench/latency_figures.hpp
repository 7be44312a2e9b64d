// The times that somebody who drags a dial waits, over many moves: medians, and the slowest of twenty.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "analysis/record/point.hpp"
#include "app/cli/tables/text_table.hpp"

namespace rooftile::cli {

struct TimedMove {
  Seconds wall;    // request to a point with every counter, the pipe included
  Seconds placed;  // until its place on the roofline was counted
  Point point;
};

nlohmann::json json_of(const std::vector<TimedMove>& moves);
// A row for each kind of move.
TextTable latency_table(const std::vector<std::pair<std::string, std::vector<TimedMove>>>& kinds);

}  // namespace rooftile::cli
