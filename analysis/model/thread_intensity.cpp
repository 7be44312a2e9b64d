#include "analysis/model/thread_intensity.hpp"

namespace rooftile {

std::optional<FlopsPerByte> thread_intensity(const Manifest& manifest, const Parameters& parameters,
                                             const Model& model) {
  Bytes bytes;
  for (std::size_t i = 0; i < model.global_accesses.size(); ++i) {
    const GlobalAccess& access = manifest.global_accesses[i];
    const double width = access.element_bytes * access.vector_elements.evaluate(parameters);
    bytes += Bytes{model.global_accesses[i].requests * warp_size * width};
  }
  return model.flops && bytes.value > 0 ? std::optional(*model.flops / bytes) : std::nullopt;
}

}  // namespace rooftile
