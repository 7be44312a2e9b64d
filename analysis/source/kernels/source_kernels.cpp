#include "analysis/source/kernels/source_kernels.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <charconv>

#include "analysis/source/kernels/text_parts.hpp"

namespace rooftile {
namespace {

// "sum" of "_Z3sumPf" and of "_ZN4ours3sumEPf".
std::string name_in_symbol(const std::string& symbol) {
  std::size_t at = symbol.starts_with("_ZN") ? 3 : 2, size = 0;
  std::string name;
  while (at < symbol.size() &&
         std::from_chars(symbol.data() + at, symbol.data() + symbol.size(), size).ec == std::errc{} &&
         size > 0) {
    at = symbol.find_first_not_of("0123456789", at);
    name = symbol.substr(std::min(at, symbol.size()), size);
    at = std::min(at, symbol.size()) + std::min(size, symbol.size());
    if (symbol.compare(0, 3, "_ZN") != 0) {
      break;
    }
  }
  return name;
}

}  // namespace

std::vector<SourceMacro> macros_with_default(std::string_view code) {
  static const RE2 pattern(
      R"(#[ \t]*ifndef[ \t]+(\w+)\s*\n[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+\(?(-?[0-9]+(?:\.[0-9]+)?)\)?\s*\n)");
  const std::string text = without_comments(code) + "\n";
  std::vector<SourceMacro> macros;
  std::string asked, defined, digits;
  for (re2::StringPiece rest = text; RE2::FindAndConsume(&rest, pattern, &asked, &defined, &digits);) {
    double value = 0;
    const bool is_number =
        std::from_chars(digits.data(), digits.data() + digits.size(), value).ec == std::errc{};
    if (asked == defined && is_number) {
      macros.push_back({asked, value});
    }
  }
  return macros;
}

std::string base_name(const std::string& kernel) {
  if (kernel.starts_with("_Z")) {
    return name_in_symbol(kernel);
  }
  const std::string plain = kernel.substr(0, kernel.find('<'));
  const std::size_t colons = plain.rfind("::");
  return colons == std::string::npos ? plain : plain.substr(colons + 2);
}

std::string type_of_variable(std::string_view code, const std::string& variable) {
  static const RE2 surplus(R"(__align__\(\d+\)|alignas\(\d+\)|\b(?:static|extern|const|volatile)\b)");
  std::string text = without_comments(code);
  RE2::GlobalReplace(&text, surplus, " ");
  const RE2 declaration(fmt::format(
      R"(__(?:constant|device|managed)__\s+(?:__\w+__\s+)*(\w[\w:]*(?:\s+(?:int|char|short|long|double))*)\s+(?:[^;{{}}()#]*[,\s])?{}\b)",
      base_name(variable)));
  std::string type;
  return RE2::PartialMatch(text, declaration, &type) ? on_one_line(type) : "";
}

std::size_t kernels_declared(std::string_view code) {
  static const RE2 kernel(R"(\b__global__\b)");
  const std::string text = without_comments(code);
  std::size_t count = 0;
  for (re2::StringPiece rest = text; RE2::FindAndConsume(&rest, kernel);) {
    ++count;
  }
  return count;
}

}  // namespace rooftile
