// Wavefronts that bank conflicts add.
#pragma once

#include <algorithm>

#include "analysis/model/model.hpp"

namespace rooftile {

// Counts the wavefronts of the launch beyond those that its accesses would take without conflicts.
inline double conflict_wavefronts(const Model& model) {
  double all = 0;
  for (const AccessModel& access : model.accesses) {
    all += std::max(0.0, access.wavefronts - access.requests * access.pattern.ideal_wavefronts);
  }
  return all;
}

}  // namespace rooftile
