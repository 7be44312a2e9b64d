#include "analysis/source/manifest/entry_lines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace rooftile {

std::vector<double> values_around(double value) {
  if (value == 0) {
    return {0, 1, 2, 4, 8};
  }
  const double exponent = std::log2(std::abs(value));
  if (value < 0 || exponent != std::floor(exponent)) {
    return {value};
  }
  std::vector<double> values;
  for (double next = std::max(1.0, value / 4); next <= 4 * value; next *= 2) {
    values.push_back(next);
  }
  return values;
}

double default_size(int sides) {
  return sides == 1 ? 4194304 : sides == 2 ? 1024 : 256;
}

std::string dial_lines(const SourceMacro& macro) {
  return fmt::format("name = \"{}\"\nvalues = [{}]\ndefault = {}\n", macro.name,
                     fmt::join(values_around(macro.value), ", "), macro.value);
}

std::string constant_lines(const FileConstant& constant, std::string_view role) {
  constexpr double most = 1024;
  return fmt::format(
      "name = \"{}\"\nrole = \"{}\"\nwhere = \"constant\"\n"
      "values = [{}]  # as in line {}; with more values it is a dial\nrange = [1, {}]\ndefault = {}\n",
      constant.name, role, constant.value, constant.line, std::max(most, 4 * constant.value), constant.value);
}

std::string size_lines(const std::string& name, int sides, std::optional<double> value) {
  constexpr std::array<const char*, 3> ranges = {
      "values = [65536, 1048576, 4194304, 16777216]\nrange = [1, 268435456]",
      "values = [256, 512, 1024, 2048, 4096]\nrange = [1, 32768]",
      "values = [64, 128, 256, 512]\nrange = [1, 1024]"};
  const std::string values =
      value ? fmt::format("values = [{}]\nrange = [{}, {}]", fmt::join(values_around(*value), ", "),
                          std::min(*value, 1.0), std::max(*value, 268435456.0))
            : ranges.at(static_cast<std::size_t>(sides - 1));
  return fmt::format("name = \"{}\"\nrole = \"size\"\n{}\ndefault = {}\n", name, values,
                     value.value_or(default_size(sides)));
}

std::string scalar_lines(const std::string& name, double value) {
  std::vector<double> values = {0, 1, 2};
  if (std::ranges::find(values, value) == values.end()) {
    values = {value};
  }
  return fmt::format("name = \"{}\"\nrole = \"scalar\"\nvalues = [{}]\ndefault = {}\n", name,
                     fmt::join(values, ", "), value);
}

std::string buffer_lines(const std::string& name, std::string_view element, const std::string& count,
                         std::string_view role) {
  return fmt::format("name = \"{}\"\nelement = \"{}\"\ncount = \"{}\"\nrole = \"{}\"\n", name, element, count,
                     role);
}

}  // namespace rooftile
