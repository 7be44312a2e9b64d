#include "app/cli/tables/text_table.hpp"

#include <algorithm>
#include <utility>

#include "analysis/text/safe_text.hpp"

namespace rooftile::cli {
namespace {

// Characters, not bytes: every byte of UTF-8 but continuation bytes.
std::size_t width(const std::string& words) {
  return static_cast<std::size_t>(
      std::count_if(words.begin(), words.end(), [](char byte) { return (byte & 0xC0) != 0x80; }));
}

std::string padded(const std::string& cell, std::size_t columns, char alignment) {
  const std::string space(columns - std::min(columns, width(cell)), ' ');
  return alignment == 'r' ? space + cell : cell + space;
}

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) {
    row += " " + markdown_cell(cell) + " |";
  }
  return row + "\n";
}

}  // namespace

TextTable::TextTable(std::vector<std::string> head, std::string alignment)
    : head_(std::move(head)), alignment_(std::move(alignment)) {}

std::string TextTable::text(int indentation) const {
  auto lines = rows_;
  if (std::any_of(head_.begin(), head_.end(), [](const std::string& title) { return !title.empty(); })) {
    lines.insert(lines.begin(), head_);
  }
  std::vector<std::size_t> widths(alignment_.size());
  for (const auto& line : lines) {
    for (std::size_t column = 0; column < line.size(); ++column) {
      widths[column] = std::max(widths[column], width(line[column]));
    }
  }
  std::string all;
  for (const auto& line : lines) {
    std::string row(static_cast<std::size_t>(indentation), ' ');
    for (std::size_t column = 0; column < line.size(); ++column) {
      row += (column > 0 ? "  " : "") + padded(line[column], widths[column], alignment_[column]);
    }
    row.erase(row.find_last_not_of(' ') + 1);
    all += row + "\n";
  }
  return all;
}

std::string TextTable::markdown() const {
  std::string all = markdown_row(head_) + "|";
  for (const char alignment : alignment_) {
    all += alignment == 'r' ? " --: |" : " --- |";
  }
  all += "\n";
  for (const auto& row : rows_) {
    all += markdown_row(row);
  }
  return all;
}

}  // namespace rooftile::cli
