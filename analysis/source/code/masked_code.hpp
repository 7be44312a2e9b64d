// The text of a CUDA source with blanks where its structure is not: what is left are names and brackets.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rooftile {

// A line of the preprocessor, with those that a backslash appends.
struct Directive {
  std::size_t begin = 0, end = 0;  // of the source's text, without the last line's end
  std::string text;                // on one line, without comments: "#define TILE 16"
};

struct MaskedCode {
  // The source with the same length and lines. Comments, string literals, directives and code behind #if 0 are
  // blank; so are the braces of an #else that opens other blocks than its #if.
  std::string text;
  std::vector<Directive> directives;
};
MaskedCode masked(std::string_view code);

// The position of the bracket that closes the one at `open`; the end of the text if there is none.
std::size_t closing(std::string_view masked_text, std::size_t open);

// The identifiers of a text, in order.
std::vector<std::string_view> identifiers(std::string_view text);

}  // namespace rooftile
