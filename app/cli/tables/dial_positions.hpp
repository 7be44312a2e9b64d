// Positions of dials that benchmarks go through.
#pragma once

#include <vector>

#include "analysis/manifest/manifest.hpp"
#include "app/session/request_queue.hpp"

namespace rooftile::cli {

// Legal combinations of all dials at these sizes, cold, at most so many, in an order that no cache of
// neighbours can guess; always the same.
std::vector<Configuration> dial_positions(const Manifest& kernel, const Parameters& sizes, std::size_t most);

}  // namespace rooftile::cli
