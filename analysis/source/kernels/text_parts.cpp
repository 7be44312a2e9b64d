#include "analysis/source/kernels/text_parts.hpp"

#include <re2/re2.h>

#include <algorithm>

namespace rooftile {

std::string without_comments(std::string_view code) {
  std::string text(code);
  for (std::size_t at = 0; (at = text.find('/', at)) != std::string::npos;) {
    const char next = at + 1 < text.size() ? text[at + 1] : ' ';
    if (next != '/' && next != '*') {
      ++at;
      continue;
    }
    const std::size_t found = next == '/' ? text.find('\n', at) : text.find("*/", at + 2);
    const std::size_t end = found == std::string::npos ? text.size() : found + (next == '/' ? 0 : 2);
    std::replace_if(
        text.begin() + static_cast<std::ptrdiff_t>(at), text.begin() + static_cast<std::ptrdiff_t>(end),
        [](char c) { return c != '\n'; }, ' ');
    at = end;
  }
  return text;
}

std::vector<std::string> split_parameters(const std::string& text, std::size_t open) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    const char c = text[at];
    depth += c == '(' || c == '[' || c == '<' ? 1 : c == ')' || c == ']' || c == '>' ? -1 : 0;
    if (depth == 0) {
      break;
    }
    if (c == ',' && depth == 1) {
      parts.emplace_back();
    } else if (at > open) {
      parts.back() += c;
    }
  }
  return parts;
}

std::size_t behind(std::size_t open, const std::vector<std::string>& parts) {
  std::size_t length = 0;
  for (const std::string& part : parts) {
    length += part.size() + 1;
  }
  return open + 1 + length;
}

std::string on_one_line(std::string part) {
  static const RE2 blanks(R"(\s+)"), edges("^ | $");
  RE2::GlobalReplace(&part, blanks, " ");
  RE2::GlobalReplace(&part, edges, "");
  return part;
}

}  // namespace rooftile
