#include "analysis/model/thread_intensity.hpp"

namespace rooftile {

std::optional<FlopsPerByte> thread_intensity(const Model& model) {
  Bytes bytes;
  for (const GlobalAccessModel& access : model.global_accesses) {
    bytes += Bytes{access.requests * warp_size * access.width_bytes};
  }
  return model.flops && bytes.value > 0 ? std::optional(*model.flops / bytes) : std::nullopt;
}

}  // namespace rooftile
