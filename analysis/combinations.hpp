// What a kernel's dials and variants can be set to.
#pragma once

#include <string>
#include <vector>

#include "analysis/manifest.hpp"

namespace rooftile {

// Each setting with each value of one more parameter: of all its parameters one after the other, their product.
std::vector<Parameters> extended(const std::vector<Parameters>& settings, const std::string& parameter,
                                 const std::vector<double>& values);

// The legal combinations of the values that its dials and variants offer, completed with the defaults of all
// else.
std::vector<Parameters> every_combination(const Manifest& manifest);

}  // namespace rooftile
