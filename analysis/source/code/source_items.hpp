// The declarations and definitions of a source, by place.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/source/code/annotations.hpp"

namespace rooftile {

struct Part {
  std::size_t begin = 0, end = 0;
  bool operator==(const Part&) const = default;
};

// A declaration or definition of a namespace.
struct Item {
  // Whether a compiler of device code keeps it; where_named: only if something that is kept names it.
  enum class Kept { never, where_named, always };
  Part place;
  Kept kept = Kept::where_named;
  std::vector<std::string> names;     // that it declares
  std::vector<Part> members_of_host;  // functions of a class
};

// text: masked, so that no bracket stands in a string or comment.
std::vector<Item> source_items(std::string_view text, const Annotations& annotations);

}  // namespace rooftile
