// Pieces of a source's text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rooftile {

// Comments become blanks, so that no name is found in them.
std::string without_comments(std::string_view code);

// "(float* a, int n)" from its parenthesis on: "float* a" and "int n".
std::vector<std::string> split_parameters(const std::string& text, std::size_t open);

// The place behind the bracket that closes what was split.
std::size_t behind(std::size_t open, const std::vector<std::string>& parts);

std::string on_one_line(std::string part);

}  // namespace rooftile
