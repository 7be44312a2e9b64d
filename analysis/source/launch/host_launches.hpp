// The launches in the code of a host, as it writes them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rooftile {

struct HostLaunch {
  std::size_t place = 0;                                   // in the text
  std::string kernel;                                      // with template arguments
  std::vector<std::string_view> settings;                  // grid, block, shared bytes, stream
  std::optional<std::vector<std::string_view>> arguments;  // empty: an array holds them
  bool is_cooperative = false;
};

// text: masked, see masked_code.hpp. The launches are views of it, in its order.
std::vector<HostLaunch> launches_in(std::string_view text);

// "a, f(b, c)": two parts.
std::vector<std::string_view> arguments_of(std::string_view list);
std::string_view trimmed(std::string_view text);
std::string without_space(std::string_view text);
bool is_part_of_name(char c);

}  // namespace rooftile
