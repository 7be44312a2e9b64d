// The wavefronts that bank conflicts add.
#pragma once

#include <algorithm>

#include "analysis/model/model.hpp"

namespace rooftile {

// Of the launch, beyond those that its accesses to shared memory would take in the best order.
inline double conflict_wavefronts(const Model& model) {
  double all = 0;
  for (const AccessModel& access : model.accesses) {
    all += std::max(0.0, access.wavefronts - access.requests * access.pattern.ideal_wavefronts);
  }
  return all;
}

}  // namespace rooftile
