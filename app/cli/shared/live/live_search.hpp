// "Find the best" on this machine's GPU, as a command line drives it.
#pragma once

#include <vector>

#include "analysis/advice/search.hpp"
#include "analysis/manifest/manifest.hpp"
#include "app/cli/shared/live/live_session.hpp"

namespace rooftile::cli {

// Launches the places that the search chooses, one after the other. Throws Error when an answer does not come.
Search search_live(const Options& options, Session& session, const Manifest& kernel,
                   const std::vector<Parameters>& places, Caches caches, SearchLimits limits);

}  // namespace rooftile::cli
