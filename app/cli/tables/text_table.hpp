// Text in columns, for a terminal.
#pragma once

#include <string>
#include <vector>

namespace rooftile::cli {

class TextTable {
 public:
  // alignment: one letter per column, 'l' or 'r'. A table without a head has empty titles.
  TextTable(std::vector<std::string> head, std::string alignment);
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.empty(); }
  // Two spaces between columns, none at the end of a line; each line starts with the indentation.
  std::string text(int indentation = 0) const;
  // Its cells are made safe for Markdown.
  std::string markdown() const;

 private:
  std::vector<std::string> head_;
  std::string alignment_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace rooftile::cli
