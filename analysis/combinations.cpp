#include "analysis/combinations.hpp"

namespace rooftile {

std::vector<Parameters> extended(const std::vector<Parameters>& settings, const std::string& parameter,
                                 const std::vector<double>& values) {
  std::vector<Parameters> all;
  for (const Parameters& setting : settings) {
    for (const double value : values) {
      all.push_back(setting);
      all.back()[parameter] = value;
    }
  }
  return all;
}

std::vector<Parameters> every_combination(const Manifest& manifest) {
  std::vector<Parameters> settings = {{}};
  for (const Parameter& parameter : manifest.parameters) {
    if (parameter.is_macro()) {
      settings = extended(settings, parameter.name, parameter.values);
    }
  }
  std::vector<Parameters> legal;
  for (const Parameters& setting : settings) {
    if (Parameters parameters = complete(manifest, setting); !why_illegal(manifest, parameters)) {
      legal.push_back(std::move(parameters));
    }
  }
  return legal;
}

}  // namespace rooftile
