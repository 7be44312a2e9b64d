#include "analysis/advice/downhill.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

namespace rooftile {
namespace {

using testing::Each;
using testing::SizeIs;
using testing::Truly;

// A and B from 0 to 19, and a time that grows with the distance from (17, 3).
Manifest kernel() {
  Manifest manifest;
  for (const char* name : {"A", "B"}) {
    Parameter dial;
    dial.name = name;
    dial.range = {{0, 19}};
    for (double value = 0; value < 20; ++value) {
      dial.values.push_back(value);
    }
    manifest.parameters.push_back(dial);
  }
  return manifest;
}

std::vector<SearchPlace> bowl(const std::vector<Parameters>& places) {
  std::vector<SearchPlace> predicted;
  for (const Parameters& place : places) {
    predicted.push_back({place, Seconds{1 + std::hypot(place.at("A") - 17, place.at("B") - 3)}});
  }
  return predicted;
}

const Parameters middle = {{"A", 10}, {"B", 10}};

TEST(Downhill, LeadsToTheLeastPredictedTimeThroughAPartOfTheSpace) {
  const auto places = downhill_places(kernel(), {middle}, {}, 400, bowl);
  EXPECT_EQ(places.front().values, middle);
  EXPECT_EQ(
      std::ranges::min_element(places, {}, [](const auto& each) { return each.predicted->value; })->values,
      (Parameters{{"A", 17}, {"B", 3}}));
  EXPECT_LT(places.size(), 200u);
  std::set<Parameters> different;
  for (const SearchPlace& each : places) {
    different.insert(each.values);
  }
  EXPECT_THAT(different, SizeIs(places.size()));
}

TEST(Downhill, BeginsAtTheBestOfSeveralStarts) {
  const Parameters near = {{"A", 16}, {"B", 3}};
  const auto places = downhill_places(kernel(), {middle, near}, {}, 60, bowl);
  EXPECT_EQ(places[1].values, near);
  EXPECT_THAT(places, testing::Contains(testing::Field(&SearchPlace::values, Parameters{{"A", 17}, {"B", 3}})));
  EXPECT_THAT(
      places,
      testing::Not(testing::Contains(testing::Field(&SearchPlace::values, Parameters{{"A", 10}, {"B", 9}}))));
}

TEST(Downhill, TakesTheMovesOfTheDefaultsToo) {
  const auto with_defaults = [](const std::vector<Parameters>& places) {
    std::vector<SearchPlace> predicted = bowl(places);
    for (SearchPlace& place : predicted) {
      place.at_defaults = place.values == middle;
    }
    return predicted;
  };
  const auto holds = [](double a, double b) {
    return testing::Contains(testing::Field(&SearchPlace::values, Parameters{{"A", a}, {"B", b}}));
  };
  EXPECT_THAT(downhill_places(kernel(), {middle, {{"A", 16}, {"B", 3}}}, {}, 400, with_defaults),
              AllOf(holds(10, 9), holds(17, 3)));
}

TEST(Downhill, KeepsWhatIsHeld) {
  EXPECT_THAT(
      downhill_places(kernel(), {{{"A", 2}, {"B", 15}}}, {"B"}, 400, bowl),
      AllOf(SizeIs(20), Each(Truly([](const SearchPlace& each) { return each.values.at("B") == 15; }))));
}

TEST(Downhill, EndsAtItsLimit) {
  EXPECT_THAT(downhill_places(kernel(), {middle}, {}, 7, bowl), SizeIs(7));
  EXPECT_THAT(downhill_places(kernel(), {middle}, {}, 1, bowl), SizeIs(1));
}

TEST(Downhill, WithoutPredictionsItIsTheStartWithItsMoves) {
  const auto nothing = [](const std::vector<Parameters>& places) {
    std::vector<SearchPlace> unknown;
    for (const Parameters& place : places) {
      unknown.push_back({place, {}});
    }
    return unknown;
  };
  constexpr std::size_t along_each_dial = 19, diagonal = 4;
  EXPECT_THAT(downhill_places(kernel(), {middle}, {}, 400, nothing),
              SizeIs(1 + 2 * along_each_dial + diagonal));
}

}  // namespace
}  // namespace rooftile
