// Declarations that the kernels of a source need.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/source/code/source_items.hpp"

namespace rooftile {

// Items that are always kept, and items that these name, directly or through macros and what they name.
class NeededItems {
 public:
  // items: of each text.
  NeededItems(const std::vector<MaskedCode>& texts, const std::vector<std::vector<Item>>& items,
              const Macros& macros);

  bool has(std::size_t text, std::size_t item) const { return taken_.contains({text, item}); }

 private:
  using Place = std::pair<std::size_t, std::size_t>;

  void take(Place place);
  void take_namespaces(const MaskedCode& text);
  void take_named(const std::string& name);
  void name_words_of(Place place);
  void name(const std::string& word);

  const std::vector<MaskedCode>& texts_;
  const std::vector<std::vector<Item>>& items_;
  const Macros& macros_;
  std::multimap<std::string, Place, std::less<>> by_name_;
  std::set<Place> taken_;
  std::deque<Place> waiting_;
  Words named_;
};

}  // namespace rooftile
