#include "analysis/source/kernels/file_constants.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <ranges>

#include "analysis/source/code/masked_code.hpp"
#include "analysis/source/code/source_items.hpp"
#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

FileConstant constant_at(std::string_view code, const std::string& name, re2::StringPiece digits) {
  const auto begin = static_cast<std::size_t>(digits.data() - code.data());
  return {name, std::stod(std::string(digits)),
          1 + static_cast<int>(std::ranges::count(code.substr(0, begin), '\n')), begin, begin + digits.size()};
}

// "const int A = 1, B = 2;" has two.
void add_variables(std::string_view code, const MaskedCode& masks, std::vector<FileConstant>& all) {
  static const RE2 head(
      R"(\s*(?:(?:static|inline)\s+)*(?:const|constexpr)\s(?:[\w\s:]*[\s:])?(?:int|unsigned|long|short|size_t|u?int\d+_t)\s)");
  static const RE2 number(R"((\w+)\s*[={]\s*([1-9]\d{0,14})[uUlL]*\s*}?\s*[,;])");
  const std::string& text = masks.text;  // as long as the code
  const Macros macros = macros_of({masks});
  for (const Item& item : source_items(text, Annotations(macros))) {
    re2::StringPiece rest(text.data() + item.place.begin, item.place.end - item.place.begin);
    if (!RE2::Consume(&rest, head)) {
      continue;
    }
    std::string name;
    for (re2::StringPiece digits; RE2::FindAndConsume(&rest, number, &name, &digits);) {
      const auto at = static_cast<std::size_t>(digits.data() - text.data());
      all.push_back(constant_at(code, name, {code.data() + at, digits.size()}));
    }
  }
}

// "#ifndef TILE", "#if !defined(TILE)": who compiles the source may say it.
bool asks_for(const Directive& directive, const std::string& macro) {
  const auto words = identifiers(directive.text);
  const bool is_question =
      !words.empty() && (words[0] == "ifdef" || words[0] == "ifndef" ||
                         std::ranges::find(words, std::string_view("defined")) != words.end());
  return is_question && std::ranges::find(words, macro) != words.end();
}

// "#ifndef MINE_H" and "#define MINE_H", around a whole header.
bool is_guarded(const std::vector<Directive>& directives) {
  const auto words = [&](std::size_t i) { return identifiers(directives[i].text); };
  return directives.size() > 1 && words(0).size() == 2 && words(0)[0] == "ifndef" && words(1).size() == 2 &&
         words(1)[0] == "define" && words(0)[1] == words(1)[1];
}

// Every definition of a macro, and the digits of those that are a number alone.
void add_macros(std::string_view code, const std::vector<Directive>& directives, std::vector<FileConstant>& all,
                std::map<std::string, int>& definitions) {
  static const RE2 any(R"(#\s*(?:define|undef)\s+(\w+).*)");
  static const RE2 number(R"(#\s*define\s+\w+\s+\(?\s*[1-9]\d{0,14}[uUlL]*\s*\)?\s*)");
  static const RE2 place(R"(#[ \t]*define[ \t]+\w+[ \t]+\(?[ \t]*(\d+))");
  int conditions = is_guarded(directives) ? -1 : 0;  // around the directive
  for (const Directive& directive : directives) {
    const auto words = identifiers(directive.text);
    conditions += words.empty() ? 0 : words[0].starts_with("if") ? 1 : words[0] == "endif" ? -1 : 0;
    std::string name;
    if (!RE2::FullMatch(directive.text, any, &name)) {
      continue;
    }
    ++definitions[name];
    const re2::StringPiece written(code.data() + directive.begin, directive.end - directive.begin);
    re2::StringPiece digits;
    if (conditions == 0 && RE2::FullMatch(directive.text, number) &&
        RE2::PartialMatch(written, place, &digits)) {
      all.push_back(constant_at(code, name, digits));
    }
  }
}

}  // namespace

std::vector<FileConstant> file_constants(std::string_view code) {
  const MaskedCode masks = masked(code);
  std::vector<FileConstant> all;
  std::map<std::string, int> definitions;
  add_variables(code, masks, all);
  for (const FileConstant& variable : all) {
    ++definitions[variable.name];
  }
  add_macros(code, masks.directives, all, definitions);
  std::erase_if(all, [&](const FileConstant& each) {
    return definitions[each.name] > 1 || std::ranges::any_of(masks.directives, [&](const Directive& directive) {
             return asks_for(directive, each.name);
           });
  });
  std::ranges::sort(all, {}, &FileConstant::begin);
  return all;
}

std::string with_constants(std::string code, const std::string& file, const Parameters& values) {
  const std::vector<FileConstant> constants = file_constants(code);
  for (const auto& [name, value] : values) {
    if (std::ranges::find(constants, name, &FileConstant::name) == constants.end()) {
      throw Error(
          fmt::format("{} is no constant of {}: where = \"constant\" is for a name that the file defines once, "
                      "as a number.",
                      name, file));
    }
  }
  for (const FileConstant& constant : constants | std::views::reverse) {
    if (const auto given = values.find(constant.name); given != values.end()) {
      code.replace(constant.begin, constant.end - constant.begin, fmt::format("{}", given->second));
    }
  }
  return code;
}

}  // namespace rooftile
