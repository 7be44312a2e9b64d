// A manifest's statements beside what the compiled code does.
#pragma once

#include <string>
#include <vector>

#include "analysis/model/model.hpp"

namespace rooftile::ptx {

// A sentence with both numbers for FLOPs and bytes at L1 that differ by more than a percent. What the manifest
// does not state is left out.
std::vector<std::string> differing_claims(const Model& stated, const Model& derived);

}  // namespace rooftile::ptx
