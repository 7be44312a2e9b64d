// Advice for launches whose report asks for it.
#pragma once

#include <vector>

#include "analysis/verdict/launch_report.hpp"

namespace rooftile::cli {

// Adds what to change next, by the model and the known launches, if there is anything to say.
void add_advice(LaunchReport& launch, Places& places, const KnownLaunches& known,
                const CompiledAt& compiled_at);

// Adds it to each launch of the log, by all launches that the log holds.
void add_advice(std::vector<LaunchReport>& all, const SessionLog& log, const std::vector<Manifest>& catalogue,
                const ModelAt& model_at);

}  // namespace rooftile::cli
