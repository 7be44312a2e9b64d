// The places that the dials of one kernel can be at, on one GPU: what the model says of each, worked out once.
#pragma once

#include <map>
#include <optional>
#include <utility>

#include "analysis/manifest/manifest.hpp"
#include "analysis/predict/prediction.hpp"

namespace rooftile {

class Places {
 public:
  Places(Manifest manifest, Gpu gpu, Roofs roofs, ModelAt model_at = stated_model);

  const Manifest& manifest() const { return manifest_; }
  const Gpu& gpu() const { return gpu_; }
  const Roofs& roofs() const { return roofs_; }
  // A model that its compiled code gave, in place of the manifest's.
  void know(const Parameters& place, Model model) { models_[place] = std::move(model); }
  // Null where no launch is possible. place: complete and legal. Stays where it is.
  const Model* model_at(const Parameters& place);
  // Empty also where such a block fits no SM.
  std::optional<Prediction> predict_at(const Parameters& place, const std::optional<Compiled>& compiled,
                                       Caches caches);

 private:
  Manifest manifest_;
  Gpu gpu_;
  Roofs roofs_;
  ModelAt modelled_;
  std::map<Parameters, std::optional<Model>> models_;
};

}  // namespace rooftile
