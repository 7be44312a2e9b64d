// The launches in the code of a host, as it writes them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rooftile {

struct HostLaunch {
  std::size_t place = 0;                              // in the text
  std::string kernel;                                 // with template arguments; or a pointer to it
  std::vector<std::string> settings;                  // grid, block, shared bytes, stream
  std::optional<std::vector<std::string>> arguments;  // empty: an array holds them
  bool is_cooperative = false;
};

// text: masked, see masked_code.hpp. In its order.
std::vector<HostLaunch> launches_in(std::string_view text);

// The code's masked text, with the bodies of macros that launch in place of their calls. Lines stay.
std::string text_with_launches(std::string_view code);

// "a, f(b, c)": two parts.
std::vector<std::string> arguments_of(std::string_view list);
// The arguments of the call whose name ends before `behind`; empty where there is no call.
std::vector<std::string> arguments_behind(std::string_view text, std::size_t behind);
std::string_view trimmed(std::string_view text);
std::string without_space(std::string_view text);
bool is_part_of_name(char c);

}  // namespace rooftile
