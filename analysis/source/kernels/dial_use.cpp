#include "analysis/source/kernels/dial_use.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include "analysis/source/code/masked_code.hpp"
#include "analysis/source/kernels/file_constants.hpp"
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

// Empty where none is near.
std::string nearest_name(const Mentioned& names, const std::string& macro) {
  const auto nearest = std::ranges::min_element(names, {}, [&](const std::string& name) {
    return std::isdigit(static_cast<unsigned char>(name.front())) != 0
               ? static_cast<int>(macro.size() + name.size())
               : edit_distance(name, macro);
  });
  const bool is_near =
      nearest != names.end() && edit_distance(*nearest, macro) <= static_cast<int>(macro.size() + 2) / 3;
  return is_near ? *nearest : "";
}

std::string not_mentioned(const std::string& nearest, const std::string& file, const std::string& macro) {
  return fmt::format("{} changes nothing: {} never mentions it.{}", macro, file,
                     nearest.empty() ? "" : fmt::format(" The nearest name there is {}.", nearest));
}

std::vector<MaskedCode> all_masked(const std::vector<std::string>& texts) {
  std::vector<MaskedCode> masks;
  std::ranges::transform(texts, std::back_inserter(masks),
                         [](const std::string& text) { return masked(text); });
  return masks;
}

// Why a macro that the source mentions changes nothing. mask: the source without comments.
std::optional<std::string> why_defined_there(const std::string& source, const MaskedCode& mask,
                                             const std::string& file, const std::string& macro) {
  int conditions = 0;  // around the directive
  for (const Directive& directive : mask.directives) {
    const auto words = identifiers(directive.text);
    conditions += words.empty() ? 0 : words[0].starts_with("if") ? 1 : words[0] == "endif" ? -1 : 0;
    if (std::ranges::find(words, macro) == words.end()) {
      continue;
    }
    if (conditions == 0 && words.size() > 2 && words[0] == "define" && words[1] == macro) {
      const auto before = source.begin() + static_cast<std::ptrdiff_t>(directive.begin);
      const auto constants = file_constants(source);
      const bool is_number = std::ranges::find(constants, macro, &FileConstant::name) != constants.end();
      return fmt::format("{0} changes nothing: {1} defines it itself in line {2}. {3}", macro, file,
                         1 + std::count(source.begin(), before, '\n'),
                         is_number
                             ? "Say where = \"constant\" of it in kernel.toml."
                             : fmt::format("Write #ifndef {0} before that line and #endif behind it.", macro));
    }
    return std::nullopt;  // #ifndef TILE, #if TILE > 4
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> why_no_dial(const std::vector<std::string>& texts, const std::string& file,
                                       const std::vector<std::string>& macros) {
  const std::vector<MaskedCode> masks = all_masked(texts);
  const Mentioned names = names_mentioned(masks);
  for (const std::string& macro : macros) {
    const auto reason = names.contains(macro)
                            ? why_defined_there(texts.front(), masks.front(), file, macro)
                            : std::optional(not_mentioned(nearest_name(names, macro), file, macro));
    if (reason) {
      return reason;
    }
  }
  return std::nullopt;
}

std::optional<std::string> why_misspelt_macro(const std::vector<std::string>& texts, const std::string& file,
                                              const std::string& macro) {
  const Mentioned names = names_mentioned(all_masked(texts));
  const bool is_of_system = macro.starts_with('_') || macro == "NDEBUG";
  const std::string nearest = names.contains(macro) || is_of_system ? "" : nearest_name(names, macro);
  return nearest.empty() ? std::nullopt : std::optional(not_mentioned(nearest, file, macro));
}

}  // namespace rooftile
