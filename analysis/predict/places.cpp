#include "analysis/predict/places.hpp"

#include <utility>

#include "analysis/model/fit.hpp"
#include "analysis/text/error.hpp"

namespace rooftile {
Places::Places(Manifest manifest, Gpu gpu, Roofs roofs, ModelAt model_at)
    : manifest_(std::move(manifest)),
      gpu_(std::move(gpu)),
      roofs_(std::move(roofs)),
      modelled_(std::move(model_at)) {}

const Model* Places::model_at(const Parameters& place) {
  const auto [found, is_new] = models_.try_emplace(place);
  if (is_new) {
    try {
      found->second = modelled_(manifest_, place, gpu_);
    } catch (const Error&) {  // no launch has such a shape, or its code is not followed
      found->second.reset();
    }
  }
  return found->second ? &*found->second : nullptr;
}

std::optional<Prediction> Places::predict_at(const Parameters& place, const std::optional<Compiled>& compiled,
                                             Caches caches) {
  const Model* model = model_at(place);
  if (!model) {
    return {};
  }
  Point point;
  point.parameters = place;
  point.launch = model->launch;
  point.compiled = compiled;
  return why_unfit(manifest_, point.parameters, point.launch, point.compiled, gpu_)
             ? std::nullopt
             : predict(*model, compiled, gpu_, roofs_, caches);
}

}  // namespace rooftile
