// How the elements of a buffer lie in rows.
#pragma once

#include <cstdint>

#include "analysis/manifest/manifest.hpp"

namespace rooftile {

// Elements: the last factor of a count that is a product, as in "M * N"; else all of them. At least 1.
std::int64_t row_length(const Buffer& buffer, const Parameters& parameters);

}  // namespace rooftile
