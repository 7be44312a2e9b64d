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

// Takes the first word from the text.
std::string_view take_word(std::string_view& text) {
  const std::string_view word = text.substr(0, word_size(text));
  text.remove_prefix(word.size());
  return word;
}

bool begins_as_name(std::string_view word) {
  return in_identifier(word[0]) && std::isdigit(static_cast<unsigned char>(word[0])) == 0;
}

}  // namespace

std::set<std::string, std::less<>> names_in(std::string_view text) {
  std::set<std::string, std::less<>> names;
  while (!text.empty()) {
    const std::string_view word = take_word(text);
    if (begins_as_name(word) && !is_called(text)) {
      names.emplace(word);
    }
  }
  return names;
}

std::string substituted(std::string_view text, const Substitutes& substitutes, std::size_t longest) {
  std::string all;
  while (!text.empty() && all.size() <= longest) {
    const std::string_view word = take_word(text);
    const auto other = substitutes.find(word);
    all += other != substitutes.end() && !is_called(text) ? std::string_view(other->second) : word;
  }
  return all;
}

}  // namespace rooftile
