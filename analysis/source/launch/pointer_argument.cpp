#include "analysis/source/launch/pointer_argument.hpp"

#include <algorithm>

#include "analysis/source/launch/host_launches.hpp"

namespace rooftile {

PointerArgument pointer_argument(std::string_view argument) {
  const std::string text = without_space(argument);
  const bool is_address = text.starts_with('&');
  const std::size_t begin = is_address ? 1 : 0;
  const std::size_t end = static_cast<std::size_t>(
      std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(begin), text.end(), is_part_of_name) -
      text.begin());
  const std::string pointer = text.substr(begin, end - begin);
  if (is_address && end < text.size() && text[end] == '[' && text.find(']') + 1 == text.size()) {
    return {pointer, text.substr(end + 1, text.size() - end - 2)};
  }
  if (!is_address && end > 0 && end + 1 < text.size() && text[end] == '+') {
    return {pointer, text.substr(end + 1)};
  }
  return {text, ""};
}

}  // namespace rooftile
