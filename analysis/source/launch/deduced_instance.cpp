#include "analysis/source/launch/deduced_instance.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <map>

#include "analysis/source/code/masked_code.hpp"
#include "analysis/source/launch/host_launches.hpp"

namespace rooftile {
namespace {

// "unsigned int**" of "static const unsigned int *__restrict__ *".
std::string type_in(std::string_view declaration) {
  constexpr std::array<std::string_view, 9> no_types = {
      "const", "static", "constexpr", "volatile", "extern", "__restrict__", "struct", "typename", "__restrict"};
  std::string type;
  for (const std::string_view word : identifiers(declaration)) {
    if (std::ranges::find(no_types, word) == no_types.end()) {
      type += (type.empty() ? "" : " ") + std::string(word);
    }
  }
  type.append(static_cast<std::size_t>(std::ranges::count(declaration, '*')), '*');
  return type;
}

// The type before a declared name: "double *" for both names in "double *x, *y".
std::string declaration_before(std::string_view text, std::size_t name) {
  const std::string_view before = text.substr(0, name);
  const std::size_t begin = before.find_last_of(";{}(");
  const std::string_view statement = before.substr(begin == before.npos ? 0 : begin + 1);
  const std::size_t comma = statement.rfind(',');
  const std::string_view own = comma == statement.npos ? statement : statement.substr(comma + 1);
  if (!identifiers(own).empty()) {
    return std::string(own);
  }
  const std::string_view first = statement.substr(0, statement.find(','));  // "double *x"
  const std::size_t word = first.find_last_not_of("*& \t\r\n");
  const std::string_view type = first.substr(0, first.find_first_of("*&"));
  const bool is_pointer = first.find('*') != first.npos;
  const auto names = identifiers(type);
  if (word == first.npos || names.empty()) {
    return "";
  }
  const std::string without_name =
      is_pointer ? std::string(type) : std::string(type.substr(0, type.rfind(names.back())));
  return without_name + std::string(own);
}

std::string declared_type(std::string_view text, const std::string& name, std::size_t place) {
  for (std::size_t at = text.rfind(name, place); at != text.npos && at > 0; at = text.rfind(name, at - 1)) {
    const std::size_t next = text.find_first_not_of(" \t\r\n", at + name.size());
    if (is_part_of_name(text[at - 1]) || next == text.npos || is_part_of_name(text[at + name.size()]) ||
        std::string_view("=;,)[{(").find(text[next]) == std::string_view::npos) {
      continue;
    }
    const std::string declaration = declaration_before(text, at);
    const bool is_plain = declaration.find_first_not_of("*& \t\r\n") != declaration.npos &&
                          declaration.find_first_of("=+-/<>.\"&|!?[") == declaration.npos;
    const std::string type = is_plain ? type_in(declaration) : "";
    if (!type.empty() && type != "return" && type != "auto" && type.find("else") != 0) {
      return type + (text[next] == '[' ? "*" : "");
    }
  }
  return "";
}

bool is_declared_struct(std::string_view text, const std::string& name) {
  return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()),
                           fmt::format(R"(\b(?:struct|class)\s+{}\b)", RE2::QuoteMeta(name)));
}

}  // namespace

std::string host_type(std::string_view text, const std::string& expression, std::size_t place) {
  static const RE2 whole(R"([0-9]+)"), single(R"([0-9]*\.?[0-9]*f)"), precise(R"([0-9]+\.[0-9]*|\.[0-9]+)"),
      name(R"([A-Za-z_]\w*)"), object(R"(([A-Za-z_][\w:]*)\s*[({].*[)}])");
  std::string word;
  return RE2::FullMatch(expression, whole)     ? "int"
         : RE2::FullMatch(expression, single)  ? "float"
         : RE2::FullMatch(expression, precise) ? "double"
         : RE2::FullMatch(expression, name)    ? declared_type(text, expression, place)
         : RE2::FullMatch(expression, object, &word) && is_declared_struct(text, word) ? word
                                                                                       : "";
}

std::optional<std::string> deduced_instance(const KernelTemplate& kernel,
                                            const std::vector<std::string>& given) {
  std::map<std::string, std::string> meanings;
  for (std::size_t i = 0; i < std::min(kernel.arguments.size(), given.size()); ++i) {
    const std::string& declared = kernel.arguments[i];
    const auto words = identifiers(declared);
    const std::string type = words.empty() ? "" : type_in(declared.substr(0, declared.rfind(words.back())));
    const std::string stars = type.substr(std::min(type.find('*'), type.size()));
    if (!given[i].empty() && given[i].ends_with(stars)) {
      meanings.emplace(type.substr(0, type.size() - stars.size()),
                       given[i].substr(0, given[i].size() - stars.size()));
    }
  }
  std::vector<std::string> arguments;
  for (const std::string& parameter : kernel.parameters) {
    const auto words = identifiers(std::string_view(parameter).substr(0, parameter.find('=')));
    const auto meaning = words.size() == 2 ? meanings.find(std::string(words[1])) : meanings.end();
    if (meaning == meanings.end() && parameter.find('=') != parameter.npos) {
      break;  // it and those behind it have defaults
    }
    if (meaning == meanings.end() || (words[0] != "typename" && words[0] != "class")) {
      return std::nullopt;
    }
    arguments.push_back(meaning->second);
  }
  return arguments.empty() ? std::nullopt
                           : std::optional(fmt::format("{}<{}>", kernel.name, fmt::join(arguments, ", ")));
}

}  // namespace rooftile
