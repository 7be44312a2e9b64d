// Sums over all accesses of a traced block, as counters give them of a launch. Empty where not all were kept,
// or where there are none.
#pragma once

#include <optional>

#include "analysis/ptx/trace/block_trace.hpp"

namespace rooftile::ptx {

struct TraceTotals {
  std::optional<double> wavefronts;           // of shared memory, in the block
  std::optional<double> sectors_per_request;  // of global memory
};

inline TraceTotals totals_of(const BlockTrace& trace) {
  double wavefronts = 0, sectors = 0, requests = 0;
  for (const TracedAccess& access : trace.accesses) {
    wavefronts += access.shared ? access.wavefronts : 0;
    sectors += access.shared ? 0 : access.sectors;
    requests += access.shared ? 0 : access.requests;
  }
  TraceTotals totals;
  if (trace.is_whole && wavefronts > 0) {
    totals.wavefronts = wavefronts;
  }
  if (trace.is_whole && requests > 0) {
    totals.sectors_per_request = sectors / requests;
  }
  return totals;
}

}  // namespace rooftile::ptx
