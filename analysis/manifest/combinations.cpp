#include "analysis/manifest/combinations.hpp"

#include <fmt/format.h>

#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"

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

double combination_count(const Manifest& manifest, const std::function<bool(const Parameter&)>& passes) {
  double product = 1;
  for (const Parameter& parameter : manifest.parameters) {
    product *= passes(parameter) ? static_cast<double>(parameter.values.size()) : 1;
  }
  return product;
}

std::optional<std::string> why_too_many(double combinations) {
  if (combinations <= most_combinations) {
    return std::nullopt;
  }
  return fmt::format("{} combinations are more than the {} that can be tried: name fewer values.",
                     count(combinations), count(most_combinations));
}

std::vector<Parameters> every_combination(const Manifest& manifest) {
  if (const auto reason = why_too_many(combination_count(manifest, std::mem_fn(&Parameter::is_of_variant)))) {
    throw Error(manifest.name + ": " + *reason);
  }
  std::vector<Parameters> settings = {{}};
  for (const Parameter& parameter : manifest.parameters) {
    if (parameter.is_of_variant()) {
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
