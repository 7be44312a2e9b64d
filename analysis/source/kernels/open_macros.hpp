// Macros that a source leaves to who compiles it, as the kernels of a tuner do.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/source/kernels/source_kernels.hpp"

namespace rooftile {

// Names that the compiler did not find, and that are used as numbers alone: no functions, arrays or types, and
// no other name of the text that is misspelt. Each with a first guess of its value. log: the compiler's words.
std::vector<SourceMacro> open_macros(std::string_view log, std::string_view code);

// Macros that only #if asks for. They compile without a value: #if use_padding == 1.
std::vector<SourceMacro> asked_macros(std::string_view code);

}  // namespace rooftile
