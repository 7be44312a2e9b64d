#include "analysis/source/code/needed_items.hpp"

#include <algorithm>

#include "analysis/source/code/masked_code.hpp"

namespace rooftile {
namespace {

// An unknown namespace is from a header that is not there.
const Words namespaces_of_headers = {"std", "nvcuda", "wmma", "cooperative_groups", "cub", "cuda", "cg",
                                     "at",  "c10",    "torch"};

}  // namespace

NeededItems::NeededItems(const std::vector<MaskedCode>& texts, const std::vector<std::vector<Item>>& items,
                         const Macros& macros)
    : texts_(texts), items_(items), macros_(macros) {
  for (std::size_t text = 0; text < items.size(); ++text) {
    for (std::size_t i = 0; i < items[text].size(); ++i) {
      for (const std::string& name : items[text][i].names) {
        by_name_.emplace(name, std::pair(text, i));
      }
      if (items[text][i].kept == Item::Kept::always) {
        take({text, i});
      }
    }
  }
  for (const MaskedCode& text : texts) {
    take_namespaces(text);
  }
  while (!waiting_.empty()) {
    const Place next = waiting_.front();
    waiting_.pop_front();
    name_words_of(next);
  }
}

void NeededItems::take(Place place) {
  if (taken_.insert(place).second) {
    waiting_.push_back(place);
  }
}

void NeededItems::take_namespaces(const MaskedCode& text) {
  Words known = namespaces_of_headers;
  const auto words = identifiers(text.text);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == "namespace" && (i == 0 || words[i - 1] != "using")) {
      known.emplace(words[i + 1]);
    }
  }
  for (const std::string& name : known) {
    take_named("using namespace " + name);
  }
}

void NeededItems::take_named(const std::string& name) {
  const auto [begin, end] = by_name_.equal_range(name);
  for (auto found = begin; found != end; ++found) {
    if (items_[found->second.first][found->second.second].kept != Item::Kept::never) {
      take(found->second);
    }
  }
}

void NeededItems::name_words_of(Place place) {
  const Item& item = items_[place.first][place.second];
  std::string text = texts_[place.first].text.substr(item.place.begin, item.place.end - item.place.begin);
  for (const Part& part : item.members_of_host) {
    std::fill_n(text.begin() + static_cast<std::ptrdiff_t>(part.begin - item.place.begin),
                part.end - part.begin, ' ');
  }
  for (const std::string_view word : identifiers(text)) {
    name(std::string(word));
  }
  for (const Directive& directive : texts_[place.first].directives) {  // #pragma unroll(STEPS)
    if (directive.begin > item.place.begin && directive.end < item.place.end) {
      for (const std::string_view word : identifiers(directive.text)) {
        name(std::string(word));
      }
    }
  }
}

void NeededItems::name(const std::string& word) {
  if (!named_.insert(word).second) {
    return;
  }
  take_named(word);
  const auto [begin, end] = macros_.equal_range(word);
  for (auto macro = begin; macro != end; ++macro) {
    for (const std::string& other : macro->second) {
      name(other);
    }
  }
}

}  // namespace rooftile
