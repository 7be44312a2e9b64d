// The words of a sweep in the end.
#pragma once

#include <optional>

#include "analysis/advice/search.hpp"
#include "app/cli/shared/options.hpp"
#include "app/cli/verbs/sweep/sweep_plan.hpp"

namespace rooftile::cli {

// The launches as a table, or as JSON; what was left out and why; how a search ended.
void show_sweep(const Options& options, const SweepQuestion& asked, const LegalCombinations& plan,
                const SessionLog& log, const std::optional<Search>& search);

}  // namespace rooftile::cli
