// The numbers that the headers of a source name.
#pragma once

#include <string>
#include <vector>

namespace rooftile {

// "#define WARP_SIZE 32" and "constexpr int tile = 16;", a line each: those that the source mentions, directly
// or through each other. Names that have several values are left out.
std::string header_constants(const std::string& source, const std::vector<std::string>& headers);

}  // namespace rooftile
