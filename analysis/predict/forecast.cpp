#include "analysis/predict/forecast.hpp"

#include "analysis/model/fit.hpp"
#include "analysis/text/error.hpp"

namespace rooftile {

// A launch that does not fit is not modelled, which may take a compiler.
Forecast forecast(const Manifest& manifest, const Parameters& place, const Gpu& gpu, const Roofs& roofs,
                  const CompiledAt& compiled_at, const ModelAt& model_at) {
  Forecast result;
  try {
    Point point;
    point.kernel = manifest.name;
    point.parameters = place;
    point.launch = result.launch = launch_of(manifest, place, gpu.sm_count);
    point.compiled = result.compiled = compiled_at(place, gpu.cc);
    result.why_not = why_unfit(manifest, place, point.launch, point.compiled, gpu);
    if (!result.why_not) {
      result.occupancy = occupancy_of(point, gpu.sm);
      result.prediction = predict(model_at(manifest, place, gpu), result.compiled, gpu, roofs, Caches::cold);
    }
  } catch (const Error& error) {
    result.why_not = error.what();
  }
  return result;
}

}  // namespace rooftile
