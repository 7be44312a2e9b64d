// A point with everything that follows from it, as a table for people and as JSON for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "analysis/diagnosis.hpp"
#include "analysis/format.hpp"
#include "analysis/proof.hpp"
#include "analysis/session_file.hpp"

namespace rooftile::cli {

using rooftile::text;  // of Parameters, a std::map, which argument-dependent lookup does not find

struct Findings {
  std::string name;  // the kernel, and among others of it the parameters that tell it apart
  Point point;
  ByteDefinition definition = ByteDefinition::requested;
  std::optional<Placement> placement;
  std::optional<Occupancy> occupancy;
  std::vector<Check> checks;
  std::optional<Verdict> verdict;
};

Findings findings(const Point& point, const Gpu* gpu, const Roofs* roofs,
                  ByteDefinition definition = ByteDefinition::requested);
Findings findings(const Point& point, const SessionLog& log,
                  ByteDefinition definition = ByteDefinition::requested);
std::vector<Findings> findings(const SessionLog& log);  // of all its launches

std::string text(const Findings& found);  // many lines, aligned
nlohmann::json json_of(const Findings& found);

nlohmann::json json_of(const Occupancy& occupancy);
std::string_view word(Evidence evidence);  // "predicted", "timed", "counted"

}  // namespace rooftile::cli
