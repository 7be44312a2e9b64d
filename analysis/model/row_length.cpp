#include "analysis/model/row_length.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

namespace rooftile {
namespace {

// The place at which the last factor begins. It is 0 if the text is a sum, a choice or one factor.
std::size_t last_factor(std::string_view text) {
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth > 0) {
      continue;
    }
    if (text[i] == '*') {
      begin = i + 1;
    } else if (std::string_view("+-?").find(text[i]) != std::string_view::npos) {
      return 0;
    }
  }
  return begin;
}

}  // namespace

std::int64_t row_length(const Buffer& buffer, const Parameters& parameters) {
  const std::string& text = buffer.count.full_text();
  const Expression row(text.substr(last_factor(text)), buffer.count.names());
  return std::max<std::int64_t>(1, std::llround(row.evaluate(parameters)));
}

}  // namespace rooftile
