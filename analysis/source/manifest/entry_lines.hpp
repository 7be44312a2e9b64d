// The lines of a [[parameter]] and a [[buffer]] in a kernel.toml, with first guesses.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/source/kernels/file_constants.hpp"
#include "analysis/source/kernels/source_kernels.hpp"

namespace rooftile {

std::string dial_lines(const SourceMacro& macro);
// The only value offered is that of the source, until a person writes more; the range says which others
// compile.
std::string constant_lines(const FileConstant& constant, std::string_view role);
// sides: of the problem that it is a size of: a row, a square, a cube; value: that the source gives.
std::string size_lines(const std::string& name, int sides = 2, std::optional<double> value = {});
std::string scalar_lines(const std::string& name, double value = 1);
std::string buffer_lines(const std::string& name, std::string_view element, const std::string& count,
                         std::string_view role);

// The size where the source gives none.
double default_size(int sides);
// Powers of two from a quarter to four times a power of two. Another number stays alone; 0 gets a few small
// values.
std::vector<double> values_around(double value);

}  // namespace rooftile
