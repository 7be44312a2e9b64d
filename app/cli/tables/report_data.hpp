// What a report shows.
#pragma once

#include <string>
#include <vector>

#include "app/cli/tables/findings.hpp"

namespace rooftile::cli {

struct Report {
  std::string gpu;     // title line
  std::string origin;  // "recorded in a.jsonl", "measured now"
  Roofs roofs;
  std::vector<Findings> all;                 // placed ones
  std::vector<Findings> best;                // one a kernel
  std::vector<std::string> other_gpus = {};  // of the same session, by name
};

}  // namespace rooftile::cli
