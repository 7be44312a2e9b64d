// Advice for launches whose report asks for it.
#pragma once

#include <vector>

#include "analysis/verdict/launch_report.hpp"

namespace rooftile::cli {

// What to change next, by the model and the launches known. Where there is nothing to say, nothing is added.
void add_advice(LaunchReport& launch, const Manifest& kernel, const Gpu& gpu, const Roofs& roofs,
                const KnownLaunches& known);

// To each that stands in the log, by all that it measured.
void add_advice(std::vector<LaunchReport>& all, const SessionLog& log, const std::vector<Manifest>& catalogue);

}  // namespace rooftile::cli
