// A pointer that a launch gives to a kernel, and how far behind the beginning of its memory it points.
#pragma once

#include <string>
#include <string_view>

namespace rooftile {

struct PointerArgument {
  std::string pointer;
  std::string elements;  // behind it, in C; empty: none
};

// "in + RADIUS", "&in[RADIUS]". Text without blanks, as everything in it.
PointerArgument pointer_argument(std::string_view argument);

}  // namespace rooftile
