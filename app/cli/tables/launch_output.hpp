// The report of a launch, as a text for people and as JSON for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "analysis/text/format.hpp"
#include "analysis/verdict/launch_report.hpp"

namespace rooftile::cli {

using rooftile::text;  // of Parameters, a std::map, which argument-dependent lookup does not find

std::string text(const LaunchReport& launch);  // many lines, aligned
nlohmann::json json_of(const LaunchReport& launch);
nlohmann::json json_of(const Occupancy& occupancy);

}  // namespace rooftile::cli
