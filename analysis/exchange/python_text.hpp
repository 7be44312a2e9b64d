// Arithmetic of Python, as search spaces of tuners hold it, as expressions of a kernel.toml.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rooftile {

// "use_pad == 0 or 32 <= x * y <= 1024" becomes "use_pad == 0 || (32 <= x * y && x * y <= 1024)". Empty for
// what is no arithmetic, or a function other than min and max.
std::optional<std::string> expression_of_python(std::string_view text);

// The numbers of "[1, 2] + list(range(32, 129, 32))" and of "[2**i for i in range(0, 6)]". Empty for other
// lists.
std::optional<std::vector<double>> numbers_of_python(std::string_view text);

}  // namespace rooftile
