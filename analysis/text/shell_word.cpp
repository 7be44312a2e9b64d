#include "analysis/text/shell_word.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace rooftile {

std::string shell_word(const std::string& word) {
  const auto is_plain = [](unsigned char letter) {
    return std::isalnum(letter) ||
           std::string_view("_-.=/+,:@%").find(static_cast<char>(letter)) != std::string_view::npos;
  };
  if (std::ranges::all_of(word, is_plain)) {
    return word;
  }
  std::string quoted = "'";
  for (const char letter : word) {
    quoted += letter == '\'' ? "'\\''" : std::string(1, letter);
  }
  return quoted + "'";
}

}  // namespace rooftile
