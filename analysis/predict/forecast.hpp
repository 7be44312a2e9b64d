// A forecast of places of a kernel's dials on a GPU, without measuring any.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/chip/occupancy.hpp"
#include "analysis/manifest/manifest.hpp"
#include "analysis/model/compiled_table.hpp"
#include "analysis/predict/prediction.hpp"

namespace rooftile {

struct Forecast {
  Launch launch;
  std::optional<Compiled> compiled;
  std::optional<Occupancy> occupancy;  // of what was compiled
  std::optional<Prediction> prediction;
  std::optional<std::string> why_not;  // it cannot run there
};

// place: complete and legal.
Forecast forecast(const Manifest& manifest, const Parameters& place, const Gpu& gpu, const Roofs& roofs,
                  const CompiledAt& compiled_at, const ModelAt& model_at = stated_model);

}  // namespace rooftile
