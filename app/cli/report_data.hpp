// What a report shows.
#pragma once

#include <string>
#include <vector>

#include "app/cli/findings.hpp"

namespace rooftile::cli {

struct Report {
  std::string gpu;     // title line
  std::string origin;  // "recorded in h200.jsonl", "measured now"
  Roofs roofs;
  std::vector<Findings> all;   // placed ones
  std::vector<Findings> best;  // one a kernel
};

}  // namespace rooftile::cli
