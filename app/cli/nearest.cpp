#include "app/cli/nearest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

namespace rooftile::cli {
namespace {

std::string lower(std::string_view word) {
  std::string low(word);
  std::transform(low.begin(), low.end(), low.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return low;
}

}  // namespace

// Optimal string alignment: Levenshtein's table with neighbours swapped at the cost of one.
int edit_distance(std::string_view a_word, std::string_view b_word) {
  const std::string a = lower(a_word), b = lower(b_word);
  std::vector<std::vector<int>> cost(a.size() + 1, std::vector<int>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = static_cast<int>(i + j);
        continue;
      }
      const int change = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[a.size()][b.size()];
}

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
