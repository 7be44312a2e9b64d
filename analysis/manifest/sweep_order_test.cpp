#include "analysis/manifest/sweep_order.hpp"

#include <gmock/gmock.h>

#include <set>

namespace rooftile {
namespace {

std::vector<Parameters> line(int count) {
  std::vector<Parameters> places;
  for (int i = 0; i < count; ++i) {
    places.push_back({{"TILE", i}});
  }
  return places;
}

std::string order(int count) {
  std::string tiles;
  for (const Parameters& place : coarse_first(line(count))) {
    tiles += (tiles.empty() ? "" : " ") + std::to_string(static_cast<int>(place.at("TILE")));
  }
  return tiles;
}

TEST(SweepOrder, BeginsWithTheEndsAndHalvesWhatIsBetween) {
  const std::pair<int, const char*> rows[] = {{0, ""},      {1, "0"},         {2, "0 1"},
                                              {3, "0 2 1"}, {5, "0 4 2 1 3"}, {9, "0 8 4 2 6 1 3 5 7"}};
  for (const auto& [count, expected] : rows) {
    EXPECT_EQ(order(count), expected);
  }
}

TEST(SweepOrder, OfTwoDialsTheCornersComeFirstAndEveryPlaceOnce) {
  std::vector<Parameters> places;
  for (double a = 0; a < 5; ++a) {
    for (double b = 0; b < 5; ++b) {
      places.push_back({{"A", a}, {"B", b}});
    }
  }
  const auto ordered = coarse_first(places);
  const std::set<Parameters> first(ordered.begin(), ordered.begin() + 4);
  EXPECT_EQ(first,
            (std::set<Parameters>{
                {{"A", 0}, {"B", 0}}, {{"A", 0}, {"B", 4}}, {{"A", 4}, {"B", 0}}, {{"A", 4}, {"B", 4}}}));
  EXPECT_EQ(std::set<Parameters>(ordered.begin(), ordered.end()).size(), 25u);
}

}  // namespace
}  // namespace rooftile
