// The launches of a session by what was dialled.
#include "app/scene/state/recordings.hpp"

#include <gmock/gmock.h>

#include "analysis/text/format.hpp"
#include "app/scene/state/test_session.hpp"

namespace rooftile::scene {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Point launched(std::uint64_t id, const Parameters& parameters, Caches caches = Caches::cold,
               const char* gpu = "A") {
  Point point;
  point.id = id;
  point.kernel = "k";
  point.gpu = gpu;
  point.caches = caches;
  point.parameters = parameters;
  point.timing = Timing{Seconds{1e-3}, Seconds{1e-3}, Seconds{1e-3}, 7};
  return point;
}

Recordings recordings_of(const std::vector<Point>& points) {
  Recordings recordings;
  for (const Point& point : points) {
    recordings.add(point, {});
  }
  return recordings;
}

TEST(Landed, IsWhatWasTimedAndDidNotFail) {
  Point point = launched(1, {});
  EXPECT_TRUE(landed(point));
  point.failure = "wrong";
  EXPECT_FALSE(landed(point));
  point.failure.reset();
  point.timing.reset();
  EXPECT_FALSE(landed(point));
}

TEST(Recordings, AWrongResultIsThereButNeverTheFastest) {
  Point wrong = launched(1, {{"T", 1}}), right = launched(2, {{"T", 2}});
  wrong.timing->median = Seconds{1e-6};
  wrong.verification = Verification{.passed = false, .sentence = "7 elements differ."};
  const Recordings recordings = recordings_of({wrong, right});
  EXPECT_EQ(recordings.fastest("A", "k", Caches::cold, {}), 2u);
  EXPECT_THAT(recordings.by_speed("A", "k", Caches::cold, {}), ElementsAre(2));
  EXPECT_EQ(recordings.find("A", "k", Caches::cold, {{"T", 1}}), 1u);
}

// The worker sends a wrong result as a failure without a time.
TEST(Recordings, ARefutedLaunchIsGoneToUntilOneLandsThere) {
  Point refuted = launched(2, {{"T", 2}}), failed = launched(3, {{"T", 3}});
  for (Point* point : {&refuted, &failed}) {
    point->timing.reset();
    point->failure = "It failed.";
  }
  refuted.verification = Verification{};
  Recordings recordings = recordings_of({launched(1, {{"T", 1}}), refuted, failed});
  const auto seen = [&](double tile) { return recordings.seen_at("A", "k", Caches::cold, {{"T", tile}}); };
  EXPECT_EQ(seen(1), 1u);
  EXPECT_EQ(seen(2), 2u);
  EXPECT_EQ(seen(3), std::nullopt);
  EXPECT_EQ(recordings.find("A", "k", Caches::cold, {{"T", 2}}), std::nullopt) << "it has no time";
  EXPECT_EQ(recordings.nearest_with("A", "k", Caches::cold, {{"T", 2}}, "T"), Parameters({{"T", 2}}));
  EXPECT_EQ(recordings.nearest("A", "k", Caches::cold, {{"T", 2}}), Parameters({{"T", 2}}));
  EXPECT_EQ(recordings.nearest("A", "k", Caches::cold, {{"T", 3}}), Parameters({{"T", 1}}));
  recordings.add(launched(4, {{"T", 2}}), {});
  EXPECT_EQ(seen(2), 4u);
}

TEST(Agreements, CountParametersOfOneValue) {
  struct Case {
    Parameters a, b;
    std::ptrdiff_t agreements;
  };
  const Case cases[] = {{{}, {}, 0},
                        {{{"T", 1}}, {{"T", 1}}, 1},
                        {{{"T", 1}}, {{"T", 2}}, 0},
                        {{{"T", 1}, {"P", 0}}, {{"P", 0}}, 1},
                        {{{"T", 1}}, {{"U", 1}}, 0}};
  for (const auto& [a, b, wanted] : cases) {
    EXPECT_EQ(agreements(a, b), wanted) << text(a) << " | " << text(b);
    EXPECT_EQ(agreements(b, a), wanted);
  }
}

TEST(Recordings, FindTheNewestOfOnePlaceAlone) {
  const Recordings recordings =
      recordings_of({launched(1, {{"T", 8}}), launched(2, {{"T", 8}}), launched(3, {{"T", 8}}, Caches::warm),
                     launched(4, {{"T", 8}}, Caches::cold, "B"), launched(5, {{"T", 16}})});
  EXPECT_EQ(recordings.find("A", "k", Caches::cold, {{"T", 8}}), 2u);
  EXPECT_EQ(recordings.find("A", "k", Caches::warm, {{"T", 8}}), 3u);
  EXPECT_EQ(recordings.find("B", "k", Caches::cold, {{"T", 8}}), 4u);
  EXPECT_EQ(recordings.find("B", "k", Caches::warm, {{"T", 8}}), std::nullopt);
  EXPECT_EQ(recordings.find("A", "k", Caches::cold, {{"T", 4}}), std::nullopt);
  EXPECT_EQ(recordings.find("A", "other", Caches::cold, {{"T", 8}}), std::nullopt);
}

TEST(Recordings, KnowOfWhichGpuAndKernelThereIsAny) {
  const Recordings recordings =
      recordings_of({launched(1, {}, Caches::warm), launched(2, {}, Caches::cold, "B")});
  EXPECT_TRUE(recordings.any("A"));
  EXPECT_TRUE(recordings.any("A", "k"));
  EXPECT_TRUE(recordings.any("B", "k"));
  EXPECT_FALSE(recordings.any("C"));
  EXPECT_FALSE(recordings.any("A", "other"));
}

TEST(Recordings, CountThePlacesOfAKernelColdAndWarm) {
  const Recordings recordings =
      recordings_of({launched(1, {{"T", 8}}), launched(2, {{"T", 8}}), launched(3, {{"T", 16}}),
                     launched(4, {{"T", 16}}, Caches::warm), launched(5, {}, Caches::cold, "B")});
  EXPECT_EQ(recordings.places("A", "k"), 3u);
  EXPECT_EQ(recordings.places("A", "other"), 0u);
}

TEST(Recordings, LeaveOutWhatHasNotLanded) {
  Point failed = launched(1, {{"T", 8}});
  failed.failure = "wrong";
  EXPECT_FALSE(recordings_of({failed}).any("A"));
}

Point taking(Point point, double milliseconds) {
  point.timing->median = Seconds{milliseconds * 1e-3};
  return point;
}

TEST(Recordings, AreInTheOrderOfTheirSpeedAndOfAPlaceTheNewestCounts) {
  const Recordings recordings =
      recordings_of({taking(launched(1, {{"T", 8}}), 1), taking(launched(2, {{"T", 16}}), 3),
                     taking(launched(3, {{"T", 32}}), 2), taking(launched(4, {{"T", 8}}), 4),
                     taking(launched(5, {{"T", 8}}, Caches::warm), 0.5),
                     taking(launched(6, {{"T", 8}}, Caches::cold, "B"), 1)});
  EXPECT_THAT(recordings.by_speed("A", "k", Caches::cold, {}), ElementsAre(3, 2, 4));
  EXPECT_EQ(recordings.fastest("A", "k", Caches::cold, {}), 3u);
  EXPECT_EQ(recordings.fastest("A", "other", Caches::cold, {}), std::nullopt);
}

TEST(Recordings, LaunchesOfOtherSizesAreOtherProblems) {
  const AppState state = state_without_session();
  const Manifest& manifest = find_kernel(state.known.catalogue, "transpose_tiled");
  Recordings recordings;
  std::uint64_t id = 0;
  for (const auto& [given, milliseconds] : {std::pair(Parameters{{"N", 1024}, {"TILE", 16}}, 1.0),
                                            {{{"N", 2048}, {"TILE", 16}}, 4.0},
                                            {{{"N", 2048}, {"TILE", 32}}, 3.0}}) {
    Point point = taking(launched(++id, complete(manifest, given)), milliseconds);
    point.kernel = manifest.name;
    recordings.add(point, state.known.catalogue);
  }
  const auto fastest = [&](double size) {
    return recordings.fastest("A", manifest.name, Caches::cold,
                              problem_of(manifest, complete(manifest, {{"N", size}})));
  };
  EXPECT_EQ(fastest(1024), 1u);
  EXPECT_EQ(fastest(2048), 3u);
  EXPECT_EQ(fastest(4096), std::nullopt);
}

TEST(Recordings, ALaunchThatFailsLaterIsNoLongerAmongThem) {
  Point point = launched(1, {{"T", 8}});
  Recordings recordings = recordings_of({point});
  point.failure = "It hung while its bytes were counted.";
  recordings.add(point, {});
  EXPECT_FALSE(recordings.any("A", "k"));
  EXPECT_EQ(recordings.fastest("A", "k", Caches::cold, {}), std::nullopt);
  EXPECT_THAT(recordings.known_at("A", "k", Caches::cold, {{"T", 8}}), ElementsAre(1));
}

TEST(Recordings, KnowOfAPlaceTheNewestThatLandedAndTheNewestThatDidNot) {
  Point compiled = launched(3, {{"T", 8}});
  compiled.timing.reset();
  Recordings recordings = recordings_of({launched(1, {{"T", 8}}), launched(2, {{"T", 8}}), compiled});
  EXPECT_THAT(recordings.known_at("A", "k", Caches::cold, {{"T", 8}}), ElementsAre(3, 2));
  EXPECT_THAT(recordings.known_at("A", "k", Caches::cold, {{"T", 16}}), IsEmpty());
  recordings.add(launched(3, {{"T", 8}}), {});
  EXPECT_THAT(recordings.known_at("A", "k", Caches::cold, {{"T", 8}}), ElementsAre(3));
}

TEST(Recordings, TheNearestAgreesInMostPlaces) {
  const Recordings recordings = recordings_of({launched(1, {{"T", 8}, {"P", 0}, {"N", 512}}),
                                               launched(2, {{"T", 16}, {"P", 1}, {"N", 512}}),
                                               launched(3, {{"T", 16}, {"P", 2}, {"N", 1024}})});
  struct Case {
    Parameters wanted;
    double tile, pad;  // of the nearest
  };
  for (const auto& [wanted, tile, pad] : {Case{{{"T", 8}, {"P", 0}, {"N", 1024}}, 8, 0},
                                          {{{"T", 16}, {"P", 0}, {"N", 1024}}, 16, 2},
                                          {{{"T", 16}, {"P", 1}, {"N", 2048}}, 16, 1}}) {
    const auto nearest = recordings.nearest("A", "k", Caches::cold, wanted);
    ASSERT_TRUE(nearest);
    EXPECT_EQ(nearest->at("T"), tile) << text(wanted);
    EXPECT_EQ(nearest->at("P"), pad) << text(wanted);
  }
  EXPECT_FALSE(recordings.nearest("A", "k", Caches::warm, {{"T", 8}}));
}

TEST(Recordings, TheNearestWithAValueHoldsItAndGivesWayElsewhere) {
  const Recordings recordings =
      recordings_of({launched(1, {{"T", 8}, {"P", 0}}), launched(2, {{"T", 16}, {"P", 1}}),
                     launched(3, {{"T", 16}, {"P", 3}}), launched(4, {{"T", 32}, {"P", 0}})});
  const auto nearest_with = [&](const Parameters& wanted, const char* parameter) {
    return recordings.nearest_with("A", "k", Caches::cold, wanted, parameter);
  };
  EXPECT_EQ(nearest_with({{"T", 16}, {"P", 3}}, "T"), (Parameters{{"T", 16}, {"P", 3}}));
  EXPECT_EQ(nearest_with({{"T", 8}, {"P", 3}}, "P"), (Parameters{{"T", 16}, {"P", 3}}));
  EXPECT_EQ(nearest_with({{"T", 8}, {"P", 7}}, "P"), std::nullopt);
  EXPECT_EQ(nearest_with({{"T", 8}, {"U", 7}}, "U"), std::nullopt) << "a parameter it has got since";
}

TEST(GivenOf, IsTheShortestThatLeadsBackForEveryValueOfEveryKernel) {
  const AppState state = state_without_session();
  for (const Manifest& manifest : state.known.catalogue) {
    EXPECT_THAT(given_of(manifest, complete(manifest, {})), IsEmpty()) << manifest.name;
    for (const Parameter& parameter : manifest.parameters) {
      for (const double value : parameter.values) {
        const Parameters all = complete(manifest, {{parameter.name, value}});
        const Parameters given = given_of(manifest, all);
        EXPECT_EQ(complete(manifest, given), all) << manifest.name << " " << parameter.name;
        EXPECT_LE(given.size(), 1u) << manifest.name << " " << parameter.name << " " << value;
      }
    }
  }
}

TEST(GivenOf, KeepsASizeThatNoLongerFollows) {
  const AppState state = state_without_session();
  const Manifest& manifest = find_kernel(state.known.catalogue, "sgemm_tiled");
  const Parameters given{{"N", 512}, {"M", 2048}};
  EXPECT_EQ(given_of(manifest, complete(manifest, given)), given);
}

}  // namespace
}  // namespace rooftile::scene
