#include "analysis/predict/forecast.hpp"

#include <algorithm>
#include <iterator>

#include "analysis/model/fit.hpp"
#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

bool knows_sms(const Expression& expression) {
  const auto names = expression.names();
  return std::ranges::find(names, "sms") != names.end();
}
bool knows_sms(const std::optional<Expression>& expression) {
  return expression && knows_sms(*expression);
}

bool knows_sms(const Manifest& manifest) {
  const auto one = [](const auto& expressions) {
    return std::ranges::any_of(expressions, [](const auto& each) { return knows_sms(each); });
  };
  const auto requests = [](const auto& accesses) {
    return std::ranges::any_of(accesses, [](const auto& each) { return knows_sms(each.requests); });
  };
  return one(manifest.grid) || one(manifest.bytes) || knows_sms(manifest.flops) ||
         knows_sms(manifest.elements) || knows_sms(manifest.compulsory_dram_bytes) ||
         requests(manifest.shared_accesses) || requests(manifest.global_accesses) || requests(manifest.atomics);
}

}  // namespace

Forecaster::Forecaster(const Manifest& manifest, std::vector<Parameters> places)
    : manifest_(&manifest), places_(std::move(places)), depends_on_sms_(knows_sms(manifest)) {}

Forecaster::ModelledPlace Forecaster::model_at(const Parameters& place, int sm_count) const {
  ModelledPlace result;
  result.point.kernel = manifest_->name;
  result.point.parameters = place;
  try {
    result.model = model(*manifest_, place, sm_count);
    result.point.launch = result.model->launch;
  } catch (const Error& error) {
    result.why_not = error.what();
  }
  return result;
}

std::vector<Forecaster::ModelledPlace>& Forecaster::places_modelled_for(int sm_count) {
  auto& known = modelled_[depends_on_sms_ ? sm_count : 0];
  if (known.empty()) {
    std::ranges::transform(places_, std::back_inserter(known),
                           [&](const Parameters& place) { return model_at(place, sm_count); });
  }
  return known;
}

Forecast Forecaster::forecast(ModelledPlace& place, const Gpu& gpu, const Roofs& roofs,
                              const CompiledAt& compiled_at) const {
  place.point.compiled = compiled_at(place.point.parameters, gpu.cc);
  Forecast result{place.point.launch, place.point.compiled, {}, {}, place.why_not};
  if (!result.why_not) {
    result.why_not =
        why_unfit(*manifest_, place.point.parameters, place.point.launch, place.point.compiled, gpu);
  }
  if (!result.why_not) {
    result.occupancy = occupancy_of(place.point, gpu.sm);
    result.prediction = predict(*place.model, result.compiled, gpu, roofs, Caches::cold);
  }
  return result;
}

std::vector<Forecast> Forecaster::on(const Gpu& gpu, const Roofs& roofs, const CompiledAt& compiled_at) {
  std::vector<Forecast> all;
  all.reserve(places_.size());
  for (ModelledPlace& place : places_modelled_for(gpu.sm_count)) {
    all.push_back(forecast(place, gpu, roofs, compiled_at));
  }
  return all;
}

}  // namespace rooftile
