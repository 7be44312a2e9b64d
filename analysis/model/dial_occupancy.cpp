#include "analysis/model/dial_occupancy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "analysis/model/model.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

std::optional<BlockResources> resources_at(const Manifest& manifest, const Parameters& parameters,
                                           const Gpu& gpu, const CompiledAt& compiled_at) {
  Launch launch;
  try {
    if (why_illegal(manifest, parameters)) {
      return std::nullopt;
    }
    launch = launch_of(manifest, parameters, gpu.sm_count);
  } catch (const Error&) {  // it cannot be launched, or an older recording does not know all parameters
    return std::nullopt;
  }
  const auto compiled = compiled_at(parameters, gpu.cc);
  return compiled ? std::optional(resources_of(launch, compiled)) : std::nullopt;
}

DialOccupancy over(const Parameter& dial, const Manifest& manifest, Parameters parameters, const Gpu& gpu,
                   const CompiledAt& compiled_at) {
  DialOccupancy result{dial.name, dial.label, {}, parameters.at(dial.name)};
  for (const double value : dial.values_with(result.present)) {
    parameters[dial.name] = value;
    if (const auto block = resources_at(manifest, parameters, gpu, compiled_at)) {
      const Occupancy fit = occupancy(*block, gpu.sm);
      result.places.push_back({value, *block, fit.blocks, fit.ratio()});
    }
  }
  return result;
}

void add_steps(const DialOccupancy& dial, std::vector<DialStep>& steps) {
  const auto here = std::ranges::find(dial.places, dial.present, &DialPlace::value);
  if (here == dial.places.end()) {
    return;
  }
  const auto differs = [&](const DialPlace& place) {
    return place.blocks != here->blocks || place.ratio != here->ratio;
  };
  const auto before = std::find_if(std::make_reverse_iterator(here), dial.places.rend(), differs);
  if (before != dial.places.rend()) {
    steps.push_back({dial.name, dial.label, *before});
  }
  const auto after = std::find_if(here, dial.places.end(), differs);
  if (after != dial.places.end()) {
    steps.push_back({dial.name, dial.label, *after});
  }
}

}  // namespace

std::vector<DialOccupancy> occupancy_by_dial(const Manifest& manifest, const Parameters& parameters,
                                             const Gpu& gpu, const CompiledAt& compiled_at) {
  std::vector<DialOccupancy> all;
  for (const Parameter& parameter : manifest.parameters) {
    if (parameter.role == ParameterRole::dial && parameters.contains(parameter.name)) {
      all.push_back(over(parameter, manifest, parameters, gpu, compiled_at));
    }
  }
  return all;
}

std::vector<DialStep> dial_steps(const std::vector<DialOccupancy>& dials) {
  std::vector<DialStep> steps;
  for (const DialOccupancy& dial : dials) {
    add_steps(dial, steps);
  }
  return steps;
}

std::string text(const DialStep& step) {
  return fmt::format("{} {} would hold {}, occupancy {}", step.label, number(step.place.value),
                     counted(step.place.blocks, "block"), percent(step.place.ratio));
}

}  // namespace rooftile
