// A manifest's statements beside what the compiled code does.
#pragma once

#include <string>
#include <vector>

#include "analysis/model/model.hpp"

namespace rooftile::ptx {

// A sentence with both numbers for each claim that the code does not hold: FLOPs that differ by
// more than 1 %, bytes at L1 by more than 10 %, at L2 and DRAM by more than half. What the manifest does not
// state is left out.
std::vector<std::string> differing_claims(const Model& stated, const Model& derived);

}  // namespace rooftile::ptx
