// The values that the dials and compiled sizes of a kernel can take.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/manifest/manifest.hpp"

namespace rooftile {

// Each setting with each value of one more parameter. Called for all parameters one after the other, it makes
// their product.
std::vector<Parameters> extended(const std::vector<Parameters>& settings, const std::string& parameter,
                                 const std::vector<double>& values);

// A product of more settings than this is not made: 100,000 of them take 100 MB.
inline constexpr double most_combinations = 1e5;
// How many combinations the values of the parameters that pass have.
double combination_count(const Manifest& manifest, const std::function<bool(const Parameter&)>& passes);
// Why so many are not made, in a sentence; empty where they are.
std::optional<std::string> why_too_many(double combinations);

// The legal combinations of the values that its dials and compiled sizes offer, completed with the defaults of
// all else. Throws Error where there are too many.
std::vector<Parameters> every_combination(const Manifest& manifest);

}  // namespace rooftile
