// The content of a report.
#pragma once

#include <string>
#include <vector>

#include "analysis/verdict/launch_report.hpp"

namespace rooftile::cli {

struct Report {
  std::string gpu;     // title line
  std::string origin;  // "recorded in a.jsonl", "measured now"
  Roofs roofs;
  std::vector<LaunchReport> all;             // placed ones
  std::vector<LaunchReport> best;            // one per kernel
  std::vector<std::string> other_gpus = {};  // of the same session, by name
};

}  // namespace rooftile::cli
