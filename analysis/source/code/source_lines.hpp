// The lines of a kernel's source that are worth showing.
#pragma once

#include <string>
#include <vector>

namespace rooftile {

struct NumberedLine {
  int number = 0;  // from 1
  std::string text;
  bool operator==(const NumberedLine&) const = default;
};
// The lines from the first that is no comment.
std::vector<NumberedLine> code_lines(const std::string& source);

}  // namespace rooftile
