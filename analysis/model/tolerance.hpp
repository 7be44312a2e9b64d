// How far a result may lie from its reference.
#pragma once

#include <string_view>

#include "analysis/manifest/manifest.hpp"

namespace rooftile {

struct Tolerance {
  double absolute = 0, relative = 0;  // |result - reference| <= absolute + relative * |reference|
  bool operator==(const Tolerance&) const = default;
};

bool is_floating_point(std::string_view element);

// The tolerance that kernel.toml states; a relative one is not for whole numbers. A kernel.toml that states
// none allows no error of whole numbers, else a share, by the type, of each element and of `scale`: the largest
// magnitude in the reference, at most 1. Throws Error where an expression gives a number below 0 or no number.
Tolerance tolerance_of(const VerifyRule& rule, const Parameters& parameters, std::string_view element,
                       double scale);

}  // namespace rooftile
