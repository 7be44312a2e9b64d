#include "app/cli/nearest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "analysis/edit_distance.hpp"

namespace rooftile::cli {

std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& known) {
  const auto nearer = [&](const std::string& a, const std::string& b) {
    return edit_distance(name, a) < edit_distance(name, b);
  };
  const auto best = std::min_element(known.begin(), known.end(), nearer);
  if (best == known.end() || 3 * edit_distance(name, *best) > static_cast<int>(best->size())) {
    return std::nullopt;
  }
  return *best;
}

std::string no_such(std::string_view what, std::string_view name, const std::vector<std::string>& known) {
  const auto meant = nearest(name, known);
  return fmt::format("There is no {} \"{}\"{} Known are: {}.", what, name,
                     meant ? fmt::format("; did you mean {}?", *meant) : ".", fmt::join(known, ", "));
}

}  // namespace rooftile::cli
