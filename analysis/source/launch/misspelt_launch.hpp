// A launch that is written almost as CUDA wants it.
#pragma once

#include <string>
#include <string_view>

namespace rooftile {

// "line 38 launches matMul instead of matmul"; empty where no launch is like one of this kernel.
std::string why_misspelt(std::string_view code, const std::string& kernel);

}  // namespace rooftile
