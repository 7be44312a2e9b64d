// Whole numbers that a source fixes for all of its code: constexpr int TILE = 16; and #define TILE 16.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/text/expression.hpp"

namespace rooftile {

struct FileConstant {
  std::string name;
  double value = 0;
  int line = 0;                    // of the text, from 1
  std::size_t begin = 0, end = 0;  // of its digits in the text
  bool operator==(const FileConstant&) const = default;
};

// Numbers of digits alone that the text defines once, outside of functions and classes, in its order. A macro
// behind an #if, which may give way to the compiler's options, is none.
std::vector<FileConstant> file_constants(std::string_view code);

// The text with these numbers in place of its own; every line stays where it is. Throws Error naming the first
// constant that the text does not define; file: what people call the text.
std::string with_constants(std::string code, const std::string& file, const Parameters& values);

}  // namespace rooftile
