#include "analysis/source/kernels/dial_use.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include "analysis/source/code/masked_code.hpp"
#include "analysis/text/edit_distance.hpp"

namespace rooftile {
namespace {

using Mentioned = std::set<std::string, std::less<>>;

Mentioned names_mentioned(const std::vector<MaskedCode>& texts) {
  Mentioned names;
  for (const MaskedCode& text : texts) {
    for (const std::string_view word : identifiers(text.text)) {
      names.emplace(word);
    }
    for (const Directive& directive : text.directives) {
      for (const std::string_view word : identifiers(directive.text)) {
        names.emplace(word);
      }
    }
  }
  return names;
}

std::string not_mentioned(const Mentioned& names, const std::string& file, const std::string& macro) {
  const auto nearest = std::ranges::min_element(names, {}, [&](const std::string& name) {
    return std::isdigit(static_cast<unsigned char>(name.front())) != 0
               ? static_cast<int>(macro.size() + name.size())
               : edit_distance(name, macro);
  });
  const bool is_near =
      nearest != names.end() && edit_distance(*nearest, macro) <= static_cast<int>(macro.size() + 2) / 3;
  return fmt::format("{} changes nothing: {} never mentions it.{}", macro, file,
                     is_near ? fmt::format(" The nearest name there is {}.", *nearest) : "");
}

}  // namespace

std::optional<std::string> why_no_dial(const std::vector<std::string>& texts, const std::string& file,
                                       const std::string& macro) {
  std::vector<MaskedCode> masks;
  std::ranges::transform(texts, std::back_inserter(masks),
                         [](const std::string& text) { return masked(text); });
  const Mentioned names = names_mentioned(masks);
  if (!names.contains(macro)) {
    return not_mentioned(names, file, macro);
  }
  for (const Directive& directive : masks.front().directives) {
    const auto words = identifiers(directive.text);
    if (std::ranges::find(words, macro) == words.end()) {
      continue;
    }
    if (words.size() > 2 && words[0] == "define" && words[1] == macro) {
      const auto before = texts.front().begin() + static_cast<std::ptrdiff_t>(directive.begin);
      return fmt::format(
          "{0} changes nothing: {1} defines it itself in line {2}. Write #ifndef {0} before that line and "
          "#endif behind it.",
          macro, file, 1 + std::count(texts.front().begin(), before, '\n'));
    }
    return std::nullopt;  // #ifndef TILE, #if TILE > 4
  }
  return std::nullopt;
}

}  // namespace rooftile
