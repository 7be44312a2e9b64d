// A forecast of every place of a kernel's dials on a GPU, without measuring any.
#pragma once

#include <map>
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

// Models each place once for all GPUs, or once for each number of SMs where the kernel's grid depends on that.
class Forecaster {
 public:
  // places: complete and legal. The manifest must outlive it.
  Forecaster(const Manifest& manifest, std::vector<Parameters> places);
  const std::vector<Parameters>& places() const { return places_; }
  // One for each place.
  std::vector<Forecast> on(const Gpu& gpu, const Roofs& roofs, const CompiledAt& compiled_at);

 private:
  struct ModelledPlace {
    Point point;
    std::optional<Model> model;
    std::optional<std::string> why_not;
  };
  std::vector<ModelledPlace>& places_modelled_for(int sm_count);
  ModelledPlace model_at(const Parameters& place, int sm_count) const;
  Forecast forecast(ModelledPlace& place, const Gpu& gpu, const Roofs& roofs,
                    const CompiledAt& compiled_at) const;

  const Manifest* manifest_;
  std::vector<Parameters> places_;
  bool depends_on_sms_ = false;
  std::map<int, std::vector<ModelledPlace>> modelled_;
};

}  // namespace rooftile
