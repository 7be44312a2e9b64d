// Names of a program's accesses, after the lines of the kernel's file.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/ptx/program/program.hpp"

namespace rooftile::ptx {

constexpr bool is_copy(const Instruction& x) {
  return x.op == Op::cp_async || (x.op == Op::cp_bulk && x.space == Space::shared);
}
constexpr bool is_atomic(const Instruction& x) {
  return x.op == Op::atom || x.op == Op::red;
}
constexpr bool is_store(const Instruction& x) {
  return x.op == Op::st || x.op == Op::stmatrix || (x.op == Op::cp_bulk && x.space == Space::global);
}

// Gives each name once: the second is "name (2)".
class UniqueNames {
 public:
  std::string take(const std::string& name);

 private:
  std::map<std::string, int> taken_;
};

class LineNames {
 public:
  // Both must outlive it. source: the text of the kernel's file.
  LineNames(const Program& program, std::string_view source);

  // "load, line 23: sum += a[k] * b[k];"
  std::string of(const Instruction& instruction) const;
  // The text of its line; empty for a line of another file.
  std::string_view words(const SourceLine& line) const;
  // The kernel's own file is that of its first line.
  bool is_own(const SourceLine& line) const;

 private:
  const Program& program_;
  std::vector<std::string_view> lines_;
};

}  // namespace rooftile::ptx
