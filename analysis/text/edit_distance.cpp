#include "analysis/text/edit_distance.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

namespace rooftile {

std::string lowercase(std::string_view word) {
  std::string low(word);
  std::transform(low.begin(), low.end(), low.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return low;
}

// Optimal string alignment: Levenshtein's table with neighbours swapped at the cost of one.
int edit_distance(std::string_view a_word, std::string_view b_word) {
  const std::string a = lowercase(a_word), b = lowercase(b_word);
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

std::optional<std::string_view> nearest(std::string_view typed,
                                        const std::vector<std::string_view>& candidates) {
  const auto is_near = [&](std::string_view candidate, std::size_t distance) {
    return 3 * distance <= std::max(typed.size(), candidate.size());
  };
  std::optional<std::string_view> best;
  int least = 0;
  for (const std::string_view candidate : candidates) {
    const auto [shorter, longer] = std::minmax({typed.size(), candidate.size()});
    if (!is_near(candidate, longer - shorter)) {  // a lower bound: the distance itself is costly for long words
      continue;
    }
    const int distance = edit_distance(typed, candidate);
    if (is_near(candidate, static_cast<std::size_t>(distance)) && (!best || distance < least)) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

}  // namespace rooftile
