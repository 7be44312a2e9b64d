#include "analysis/source/code/annotations.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace rooftile {
namespace {

constexpr std::array<std::string_view, 4> annotations = {"__global__", "__device__", "__constant__",
                                                         "__managed__"};

bool sounds_like_annotation(std::string_view word) {
  const bool shouts = std::ranges::none_of(word, [](unsigned char c) { return std::islower(c) != 0; });
  return shouts && (word.find("DEVICE") != word.npos || word.find("GLOBAL") != word.npos ||
                    word.find("KERNEL") != word.npos);
}

}  // namespace

Macros macros_of(const std::vector<MaskedCode>& texts) {
  Macros macros;
  for (const MaskedCode& text : texts) {
    for (const Directive& directive : text.directives) {
      const auto words = identifiers(directive.text);
      if (words.size() > 1 && words[0] == "define") {
        macros.emplace(std::string(words[1]), std::vector<std::string>(words.begin() + 2, words.end()));
      }
    }
  }
  return macros;
}

Annotations::Annotations(const Macros& macros) : macros_(&macros) {
  for (bool grown = true; grown;) {
    grown = false;
    for (const auto& [name, stands_for] : macros) {
      grown |= std::ranges::any_of(stands_for, [&](const auto& word) { return is_known(word); }) &&
               known_.insert(name).second;
    }
  }
}

bool Annotations::any_in(const std::vector<std::string_view>& words) const {
  return std::ranges::any_of(words, [&](std::string_view word) { return is_one(word); });
}

bool Annotations::is_one(std::string_view word) const {
  return is_known(word) || (!macros_->contains(word) && sounds_like_annotation(word));
}

bool Annotations::any_constant_in(const std::vector<std::string_view>& words) const {
  const auto is_constant = [](std::string_view word) { return word == "constexpr" || word == "consteval"; };
  return std::ranges::any_of(words, [&](std::string_view word) {
    const auto [begin, end] = macros_->equal_range(word);
    return is_constant(word) || std::any_of(begin, end, [&](const auto& macro) {
             return std::ranges::any_of(macro.second, is_constant);
           });
  });
}

bool Annotations::declares_type(std::string_view macro) const {
  constexpr std::array<std::string_view, 4> words = {"using", "typedef", "struct", "enum"};
  const auto [begin, end] = macros_->equal_range(macro);
  return std::any_of(begin, end, [&](const auto& each) {
    return std::ranges::any_of(each.second,
                               [&](const auto& word) { return std::ranges::find(words, word) != words.end(); });
  });
}

bool Annotations::is_known(std::string_view word) const {
  return std::ranges::find(annotations, word) != annotations.end() || known_.contains(word);
}

}  // namespace rooftile
