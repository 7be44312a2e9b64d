// One line of comma-separated values (RFC 4180) that grows from left to right. Text of others is made safe.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

#include "analysis/text/safe_text.hpp"

namespace rooftile {

class CsvRow {
 public:
  void add(std::string_view words) { append(csv_cell(words)); }
  void add(const std::optional<double>& figure) { append(figure ? fmt::format("{}", *figure) : ""); }
  std::string line() const { return row_ + "\n"; }

 private:
  void append(const std::string& cell) {
    row_ += (is_first_ ? "" : ",") + cell;
    is_first_ = false;
  }
  std::string row_;
  bool is_first_ = true;
};

}  // namespace rooftile
