#include "analysis/text/substituted.hpp"

#include <algorithm>
#include <cctype>

namespace rooftile {
namespace {

bool in_identifier(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

// The size of a name or a number, else of a single letter.
std::size_t word_size(std::string_view text) {
  const auto end = std::ranges::find_if_not(text, in_identifier);
  return std::max<std::size_t>(1, static_cast<std::size_t>(end - text.begin()));
}

bool is_called(std::string_view after) {
  const std::size_t next = after.find_first_not_of(' ');
  return next != std::string_view::npos && after[next] == '(';
}

}  // namespace

std::string substituted(std::string_view text, const Substitutes& substitutes, std::size_t longest) {
  std::string all;
  while (!text.empty() && all.size() <= longest) {
    const std::string_view word = text.substr(0, word_size(text));
    text.remove_prefix(word.size());
    const auto other = substitutes.find(word);
    all += other != substitutes.end() && !is_called(text) ? std::string_view(other->second) : word;
  }
  return all;
}

}  // namespace rooftile
