#include "analysis/predict/places.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "analysis/error.hpp"
#include "analysis/fit.hpp"

namespace rooftile {
namespace {

// Bytes of all shared arrays, as far as a block's accesses reach.
double reach_of(const Model& model) {
  std::map<std::string, std::int64_t> arrays;
  for (const AccessModel& access : model.accesses) {
    arrays[access.array] = std::max(arrays[access.array], access.reach);
  }
  double sum = 0;
  for (const auto& [array, bytes] : arrays) {
    sum += static_cast<double>(bytes);
  }
  return sum;
}

}  // namespace

Places::Places(Manifest manifest, Gpu gpu, Roofs roofs)
    : manifest_(std::move(manifest)), gpu_(std::move(gpu)), roofs_(std::move(roofs)) {}

const Model* Places::model_at(const Parameters& place) {
  const auto [found, is_new] = models_.try_emplace(place);
  if (is_new) {
    try {
      found->second = model(manifest_, place, gpu_.sm_count);
    } catch (const Error&) {  // no launch has such a shape
      found->second.reset();
    }
  }
  return found->second ? &*found->second : nullptr;
}

std::optional<Prediction> Places::predict_at(const Parameters& place, const std::optional<Compiled>& compiled) {
  const Model* model = model_at(place);
  if (!model) {
    return {};
  }
  Point point;
  point.parameters = place;
  point.launch = model->launch;
  point.compiled = compiled;
  return why_unfit(manifest_, point, gpu_) ? std::nullopt : predict(*model, compiled, gpu_, roofs_);
}

Compiled expected(const Compiled& made, const Model& of, const Model& there) {
  Compiled result = made;
  if (const double reach = reach_of(of); reach > 0) {
    result.static_shared_bytes = static_cast<int>(made.static_shared_bytes * reach_of(there) / reach);
  }
  return result;
}

}  // namespace rooftile
