// Macros without which a source has no kernels: #ifdef HAVE_CUDA around all of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rooftile {

// Macros that the text does not define, if each __global__ stands behind one; else empty.
std::vector<std::string> guards_of_kernels(std::string_view code);

}  // namespace rooftile
