#include "analysis/text/toml_region.hpp"

#include <algorithm>

namespace rooftile {
namespace {

// The parser counts lines and columns from 1; a column is a letter, whatever its bytes.
std::size_t offset_of(std::string_view text, toml::source_position position) {
  std::size_t at = 0;
  for (auto line = position.line; line > 1; --line) {
    at = std::min(text.find('\n', at), text.size() - 1) + 1;
  }
  const auto begins_letter = [](char each) { return (each & 0xC0) != 0x80; };
  for (auto column = position.column; column > 1 && at < text.size(); --column) {
    at = static_cast<std::size_t>(
        std::find_if(text.begin() + static_cast<std::ptrdiff_t>(at) + 1, text.end(), begins_letter) -
        text.begin());
  }
  return at;
}

}  // namespace

std::size_t begin_of(std::string_view text, const toml::node& node) {
  return offset_of(text, node.source().begin);
}

std::size_t end_of(std::string_view text, const toml::node& node) {
  return offset_of(text, node.source().end);
}

}  // namespace rooftile
