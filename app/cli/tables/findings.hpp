// A point with everything that follows from it, as a table for people and as JSON for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "analysis/record/session_file.hpp"
#include "analysis/text/format.hpp"
#include "analysis/verdict/advice.hpp"
#include "analysis/verdict/diagnosis.hpp"
#include "analysis/verdict/proof.hpp"

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
  std::optional<Advice> advice;  // of those that asked for it
  std::string advice_sentence;
};

Findings findings(const Point& point, const Gpu* gpu, const Roofs* roofs,
                  ByteDefinition definition = ByteDefinition::requested);
Findings findings(const Point& point, const SessionLog& log,
                  ByteDefinition definition = ByteDefinition::requested);
std::vector<Findings> findings(const SessionLog& log);  // of all its launches

// What to change next, by the model and the launches known. Where there is nothing to say, nothing is added.
void add_advice(Findings& found, const Manifest& kernel, const Gpu& gpu, const Roofs& roofs,
                const KnownLaunches& known);

// Of each that stands in the log, by all that it measured.
void add_advice(std::vector<Findings>& all, const SessionLog& log, const std::vector<Manifest>& catalogue);

std::string text(const Findings& found);  // many lines, aligned
nlohmann::json json_of(const Findings& found);

nlohmann::json json_of(const Occupancy& occupancy);
std::string_view word(Evidence evidence);  // "predicted", "timed", "counted"

}  // namespace rooftile::cli
