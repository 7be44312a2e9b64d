#include "analysis/advice/search.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <set>

#include "analysis/advice/recorded_space.hpp"
#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/platform.hpp"
#include "analysis/platform/session_files.hpp"

namespace rooftile {
namespace {

using testing::SizeIs;

Timing took(double seconds, double spread = 0) {
  return {{seconds}, {seconds}, {seconds * (1 + spread)}, 7};
}

// 10 x 10 places whose times grow with the distance from (7, 2).
double bowl(const Parameters& place) {
  return 1 + std::hypot(place.at("A") - 7, place.at("B") - 2);
}

std::vector<SearchPlace> grid(const std::function<std::optional<Seconds>(const Parameters&)>& predicted) {
  std::vector<SearchPlace> places;
  for (double a = 0; a < 10; ++a) {
    for (double b = 0; b < 10; ++b) {
      const Parameters place = {{"A", a}, {"B", b}};
      places.push_back({place, predicted(place)});
    }
  }
  return places;
}

std::optional<Seconds> nothing(const Parameters&) {
  return {};
}

constexpr SearchLimits generous = {.launches = 100, .patience = 100};

TEST(Search, WhereTheModelIsRightTheFirstLaunchIsTheBest) {
  const auto exact = [](const Parameters& place) { return std::optional(Seconds{bowl(place)}); };
  const Search search =
      find_best(grid(exact), {.launches = 100, .patience = 5}, [](const auto& at) { return took(bowl(at)); });
  EXPECT_EQ(search.best(), &search.tries().front());
  EXPECT_EQ(search.end(), Search::End::within_noise);
  EXPECT_THAT(search.tries(), SizeIs(6));
}

TEST(Search, AModelThatIsWrongByAFactorIsAsGood) {
  const auto thrice = [](const Parameters& place) { return std::optional(Seconds{3 * bowl(place)}); };
  const Search search = find_best(grid(thrice), {.launches = 5}, [](const auto& at) { return took(bowl(at)); });
  EXPECT_EQ(search.best(), &search.tries().front());
}

TEST(Search, WhereTheModelPointsElsewhereTheDescentGetsThere) {
  const auto misled = [](const Parameters& place) {
    return std::optional(Seconds{1 + std::abs(place.at("A") - 1) / 10});
  };
  const Search search =
      find_best(grid(misled), {.launches = 40, .patience = 40}, [](const auto& at) { return took(bowl(at)); });
  EXPECT_LE(search.best()->timing->median.value, 2) << "of times up to " << bowl({{"A", 0}, {"B", 9}});
}

TEST(Search, TriesEachPlaceOnceAndThenIsOver) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN(),
                   never = std::numeric_limits<double>::infinity();
  for (const std::optional<Seconds> predicted : {std::optional<Seconds>(), std::optional(Seconds{none}),
                                                 std::optional(Seconds{never}), std::optional(Seconds{0})}) {
    std::set<Parameters> launched;
    const Search search =
        find_best(grid([&](const Parameters&) { return predicted; }), generous, [&](const Parameters& at) {
          EXPECT_TRUE(launched.insert(at).second);
          return took(bowl(at));
        });
    EXPECT_THAT(launched, SizeIs(100));
    EXPECT_EQ(search.end(), Search::End::tried_all);
    EXPECT_EQ(search.best()->timing->median.value, 1);
  }
}

TEST(Search, LaunchesThatTakeNoTimeTeachNothing) {
  std::set<Parameters> launched;
  find_best(grid(nothing), generous, [&](const Parameters& at) {
    EXPECT_TRUE(launched.insert(at).second);
    return took(0);
  });
  EXPECT_THAT(launched, SizeIs(100));
}

TEST(Search, EndsAtItsLimitOfLaunches) {
  const Search search =
      find_best(grid(nothing), {.launches = 3, .patience = 100}, [](const auto& at) { return took(bowl(at)); });
  EXPECT_THAT(search.tries(), SizeIs(3));
  EXPECT_EQ(search.end(), Search::End::launches_used);
}

TEST(Search, LaunchesThatFailAreNeverTheBestAndDoNotEndIt) {
  const auto half_fails = [](const Parameters& at) {
    return static_cast<int>(at.at("A")) % 2 == 1 ? std::optional<Timing>{} : took(bowl(at));
  };
  const Search search = find_best(grid(nothing), generous, half_fails);
  EXPECT_EQ(search.best()->timing->median.value, bowl({{"A", 8}, {"B", 2}}));
  const Search hopeless =
      find_best(grid(nothing), generous, [](const auto&) { return std::optional<Timing>{}; });
  EXPECT_EQ(hopeless.best(), nullptr);
  EXPECT_THAT(hopeless.tries(), SizeIs(100));
}

TEST(Search, WhatIsFasterByLessThanTheNoiseCountsAsNothingBetter) {
  double time = 1;
  const Search search = find_best(grid(nothing), {.launches = 100, .patience = 4}, [&](const auto&) {
    time *= 0.98;
    return took(time, 0.05);
  });
  EXPECT_EQ(search.end(), Search::End::within_noise);
  EXPECT_LT(search.tries().size(), 10u);
  EXPECT_EQ(search.best(), &search.tries().back()) << "the fastest is the best all the same";
}

TEST(Search, OfNoPlacesIsOverAtOnce) {
  const Search search({}, usual_limits(0));
  EXPECT_FALSE(search.next());
  EXPECT_EQ(search.best(), nullptr);
}

// Every problem of both kernels that was recorded at ten places or more.
TEST(Search, FindsTheBestOfTheRecordingWithin4PercentInATenthOfTheLaunches) {
  const auto spaces = recorded_spaces(
      platform::load_session(platform::data_directory() / "assets" / "sessions" / "h100_h200.jsonl"),
      platform::load_catalogue_with({}).kernels);
  std::map<std::string, int> held;
  for (const RecordedSpace& space : spaces) {
    if (space.kernel != "sgemm_warp_tiled" || space.places.size() < 10) {
      continue;
    }
    ++held[space.kernel];
    const std::size_t tenth = (space.places.size() + 9) / 10;
    const Search search = space.search({.launches = tenth, .patience = tenth});
    EXPECT_LE(search.best()->timing->median / space.best(), 1.04) << space.kernel << " on " << space.gpu;
  }
  EXPECT_THAT(held, testing::ElementsAre(testing::Pair("sgemm_warp_tiled", 6)));
}

}  // namespace
}  // namespace rooftile
