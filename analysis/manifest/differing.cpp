#include "analysis/manifest/differing.hpp"

#include <algorithm>
#include <iterator>

namespace rooftile {

std::set<std::string> differing(const Parameters& a, const Parameters& b) {
  std::vector<Parameters::value_type> apart;
  std::ranges::set_symmetric_difference(a, b, std::back_inserter(apart));
  std::set<std::string> names;
  for (const auto& [name, value] : apart) {
    names.insert(name);
  }
  return names;
}

std::set<std::string> differing(const std::vector<const Parameters*>& all) {
  std::set<std::string> names;
  for (const Parameters* each : all) {
    names.merge(differing(*all.front(), *each));
  }
  return names;
}

}  // namespace rooftile
