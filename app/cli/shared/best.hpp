// The best launch of each kernel in a session.
#pragma once

#include <vector>

#include "analysis/manifest/manifest.hpp"
#include "analysis/verdict/launch_report.hpp"

namespace rooftile::cli {

// For each kernel, the fastest launch of one problem, since times of different problems cannot be compared. It
// is the problem that was launched most often, or, among several, the one of the kernel's defaults. A launch
// that failed or gave a wrong result is none of them, a predicted one only where nothing was measured. All have
// a placement.
std::vector<LaunchReport> best_of_each_kernel(const std::vector<LaunchReport>& all,
                                              const std::vector<Manifest>& kernels);

}  // namespace rooftile::cli
