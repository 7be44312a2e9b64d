// The best launch of each kernel in a session.
#pragma once

#include <vector>

#include "analysis/manifest/manifest.hpp"
#include "app/cli/tables/findings.hpp"

namespace rooftile::cli {

// Of each kernel the fastest launch of one problem, since times of different problems compare nothing: the
// problem that was launched most often; of several, the one of the kernel's defaults. All have a placement.
std::vector<Findings> best_of_each_kernel(const std::vector<Findings>& all,
                                          const std::vector<Manifest>& kernels);

}  // namespace rooftile::cli
