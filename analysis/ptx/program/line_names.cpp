#include "analysis/ptx/program/line_names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/ptx/program/program_analysis.hpp"

namespace rooftile::ptx {

std::string UniqueNames::take(const std::string& name) {
  const int number = ++taken_[name];
  return number == 1 ? name : fmt::format("{} ({})", name, number);
}

LineNames::LineNames(const Program& program, std::string_view source) : program_(program) {
  for (std::size_t begin = 0; begin < source.size();) {
    const std::size_t end = std::min(source.find('\n', begin), source.size());
    lines_.push_back(source.substr(begin, end - begin));
    begin = end + 1;
  }
}

std::string LineNames::of(const Instruction& x) const {
  constexpr std::size_t widest = 48;
  const char* what = is_atomic(x) ? "atomic" : is_copy(x) ? "copy" : is_store(x) ? "store" : "load";
  const std::string_view text = words(x.source);
  return text.empty() ? fmt::format("{}, {}", what, place_of(program_, x))
                      : fmt::format("{}, line {}: {}{}", what, x.source.line, text.substr(0, widest),
                                    text.size() > widest ? "..." : "");
}

std::string_view LineNames::words(const SourceLine& line) const {
  const auto number = static_cast<std::size_t>(line.line);
  if (!is_own(line) || number > lines_.size()) {
    return "";
  }
  std::string_view text = lines_[number - 1];
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text;
}

bool LineNames::is_own(const SourceLine& line) const {
  const auto first =
      std::ranges::find_if(program_.instructions, [](const Instruction& each) { return each.source.line > 0; });
  return line.line > 0 && first != program_.instructions.end() && first->source.file == line.file;
}

}  // namespace rooftile::ptx
