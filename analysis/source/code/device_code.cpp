#include "analysis/source/code/device_code.hpp"

#include <algorithm>

#include "analysis/source/code/masked_code.hpp"
#include "analysis/source/code/needed_items.hpp"

namespace rooftile {
namespace {

bool includes(const Directive& directive) {
  const auto words = identifiers(directive.text);
  return !words.empty() && words[0] == "include";
}

// The directives among it stay, since an #endif may belong to an #if elsewhere.
void blank(std::string& text, Part part, const std::vector<Directive>& directives) {
  std::size_t at = part.begin;
  const auto blank_until = [&](std::size_t end) {
    for (; at < std::min(end, part.end); ++at) {
      text[at] = text[at] == '\n' ? '\n' : ' ';
    }
  };
  for (const Directive& directive : directives) {
    if (directive.begin >= part.begin && directive.end <= part.end && !includes(directive)) {
      blank_until(directive.begin);
      at = directive.end;
    }
  }
  blank_until(part.end);
}

}  // namespace

std::vector<std::string> device_code(const std::vector<std::string>& texts) {
  std::vector<MaskedCode> masks;
  std::ranges::transform(texts, std::back_inserter(masks), [](const auto& text) { return masked(text); });
  const Macros macros = macros_of(masks);
  const Annotations annotations(macros);
  std::vector<std::vector<Item>> items;
  std::ranges::transform(masks, std::back_inserter(items),
                         [&](const MaskedCode& mask) { return source_items(mask.text, annotations); });
  const NeededItems need(masks, items, macros);
  std::vector<std::string> left = texts;
  for (std::size_t text = 0; text < texts.size(); ++text) {
    for (std::size_t i = 0; i < items[text].size(); ++i) {
      if (!need.has(text, i)) {
        blank(left[text], items[text][i].place, masks[text].directives);
        continue;
      }
      for (const Part& member : items[text][i].members_of_host) {
        blank(left[text], member, masks[text].directives);
      }
    }
  }
  return left;
}

}  // namespace rooftile
