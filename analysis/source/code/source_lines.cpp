#include "analysis/source/code/source_lines.hpp"

#include <sstream>

namespace rooftile {

std::vector<NumberedLine> code_lines(const std::string& source) {
  std::vector<NumberedLine> lines;
  std::istringstream in(source);
  int number = 0;
  for (std::string text; std::getline(in, text);) {
    ++number;
    if (!lines.empty() || !text.starts_with("//")) {
      lines.push_back({number, text});
    }
  }
  return lines;
}

}  // namespace rooftile
