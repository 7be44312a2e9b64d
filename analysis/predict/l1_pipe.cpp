#include "analysis/predict/l1_pipe.hpp"

#include "analysis/model/coalescing.hpp"

namespace rooftile {

double l1_pipe_cycles(const Model& model) {
  double cycles = model.bytes[MemoryLevel::shared].value_or(Bytes{}).value / line_bytes;
  for (const GlobalAccessModel& access : model.global_accesses) {
    cycles += access.kind == GlobalAccessKind::copy ? 2 * access.cycles : access.cycles;
  }
  return cycles;
}

}  // namespace rooftile
