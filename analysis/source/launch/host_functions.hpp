// The functions of a host's code, by place.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rooftile {

struct TextSpan {
  std::size_t begin = 0, end = 0;
};

// A function, from its head on.
struct HostFunction {
  TextSpan head, body;
  std::string name;
  std::vector<std::string> parameters, template_parameters;
};
// text: masked, see masked_code.hpp.
std::vector<HostFunction> host_functions(std::string_view text);

struct AngleList {
  std::vector<std::string> arguments;
  std::size_t end = 0;  // behind it
};
// "<64, 2>" at the place or behind blanks.
std::optional<AngleList> list_in_angles(std::string_view text, std::size_t place);

}  // namespace rooftile
