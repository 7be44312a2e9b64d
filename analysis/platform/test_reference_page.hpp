// For tests: a page of reference, its sections with their tables and examples.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "analysis/platform/platform.hpp"
#include "analysis/platform/text_file.hpp"

namespace rooftile {

struct ReferenceSection {
  std::string heading;                         // without #, backticks and brackets: "parameter"
  std::vector<std::vector<std::string>> rows;  // of all its tables, without their headings
  std::vector<std::string> examples;           // its blocks of code
};

inline std::vector<std::string> cells_of(std::string line) {
  std::vector<std::string> cells;
  line.erase(0, line.find_first_not_of("| "));
  for (auto end = line.find(" |"); end != std::string::npos; end = line.find(" |")) {
    cells.push_back(line.substr(0, end));
    line.erase(0, std::min(line.size(), end + 3));
  }
  return cells;
}

inline std::string bare(std::string heading) {
  std::erase_if(heading, [](char c) { return c == '#' || c == '`' || c == '[' || c == ']'; });
  return heading.substr(heading.find_first_not_of(' '));
}

// The page at this place of the source tree; the text before its first section has no heading.
inline std::vector<ReferenceSection> reference_page(const std::string& place) {
  const auto text = platform::read_text(platform::data_directory() / place);
  EXPECT_TRUE(text) << place;
  std::istringstream in(text.value_or(""));
  std::vector<ReferenceSection> sections(1);
  bool in_code = false;
  for (std::string line; std::getline(in, line);) {
    ReferenceSection& section = sections.back();
    if (line.starts_with("```")) {
      in_code = !in_code;
      section.examples.resize(section.examples.size() + (in_code ? 1 : 0));
    } else if (in_code) {
      section.examples.back() += line + "\n";
    } else if (line.starts_with("##")) {
      sections.push_back({bare(line), {}, {}});
    } else if (line.starts_with("| --")) {
      section.rows.pop_back();
    } else if (line.starts_with("| ")) {
      section.rows.push_back(cells_of(line));
    }
  }
  return sections;
}

// The texts between backticks, in order.
inline std::vector<std::string> literals(const std::string& cell) {
  std::vector<std::string> found;
  std::istringstream in(cell);
  bool is_literal = false;
  for (std::string piece; std::getline(in, piece, '`'); is_literal = !is_literal) {
    if (is_literal) {
      found.push_back(piece);
    }
  }
  return found;
}

}  // namespace rooftile
