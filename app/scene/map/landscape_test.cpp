// The map of two dials, filled from launches.
#include "app/scene/map/landscape.hpp"

#include <gmock/gmock.h>

#include "app/scene/actions/actions.hpp"
#include "app/scene/actions/refresh.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/map/map_metric.hpp"
#include "app/scene/paper/heat.hpp"
#include "app/scene/state/test_session.hpp"

namespace rooftile::scene {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class LandscapeTest : public testing::Test {
 protected:
  LandscapeTest() { apply(state, {SelectKernel{"transpose_tiled"}, ShowPanel{Panel::map}}); }

  // A launch of the chosen kernel that took so long.
  void land(const Parameters& given, double milliseconds, double spread = 0) {
    Point point = counted_point(state, ++launches_, state.choice.kernel, given);
    const Seconds time{milliseconds * 1e-3};
    point.timing = {
        .median = time, .fastest = (1 - spread / 2) * time, .slowest = (1 + spread / 2) * time, .launches = 3};
    scene::land(state, point);
  }
  Landscape map() { return finished(state.derived.kept_map); }
  Landscape finished(KeptMap& kept) const {
    Landscape map = landscape(state, roofs_of(state), kept);
    while (map.unfinished) {
      map = landscape(state, roofs_of(state), kept, std::move(map));
    }
    return map;
  }
  static MapCell present(const Landscape& map) {
    return *std::ranges::find(map.cells, true, &MapCell::present);
  }
  const MapCell& at(const Landscape& map, double down, double across) const {
    const auto row = std::ranges::find(map.down.values, down) - map.down.values.begin();
    const auto column = std::ranges::find(map.across.values, across) - map.across.values.begin();
    return map.cells.at(static_cast<std::size_t>(row) * map.across.values.size() +
                        static_cast<std::size_t>(column));
  }
  void choose(const MapChoice& choice) { apply(state, {SetMap{choice}}); }

  AppState state = live_state();

 private:
  std::uint64_t launches_ = 100;
};

TEST_F(LandscapeTest, TheFirstDialAndTheOneWithTheMostValuesAreItsAxes) {
  const Landscape found = map();
  EXPECT_EQ(found.down.parameter, "TILE");
  EXPECT_EQ(found.across.parameter, "PAD");
  EXPECT_THAT(found.cells, SizeIs(found.down.values.size() * found.across.values.size()));
  EXPECT_EQ(std::ranges::count(found.cells, true, &MapCell::present), 1);
}

TEST_F(LandscapeTest, ACellHasTheFastestLaunchOfItsPlaceAndTheUnitStandsAtTheScale) {
  land({{"TILE", 32}, {"PAD", 0}, {"ROWS", 8}}, 4);
  land({{"TILE", 32}, {"PAD", 0}, {"ROWS", 4}}, 2);
  land({{"TILE", 32}, {"PAD", 1}}, 1);
  const Landscape found = map();
  EXPECT_EQ(found.unit, "ms");
  EXPECT_EQ(at(found, 32, 0).text, "2.00");
  EXPECT_EQ(at(found, 32, 1).text, "1.00");
  EXPECT_FALSE(at(found, 16, 0).launch);
}

TEST_F(LandscapeTest, WithTheOthersFixedOnlyLaunchesOfTheirPresentValuesCount) {
  land({{"TILE", 32}, {"PAD", 0}, {"ROWS", 4}}, 2);
  apply(state, {SetParameter{"ROWS", 8}});
  EXPECT_TRUE(at(map(), 32, 0).launch);
  choose({.across = "PAD", .down = "TILE", .best_over_others = false});
  EXPECT_FALSE(at(map(), 32, 0).launch);
  apply(state, {SetParameter{"ROWS", 4}});
  EXPECT_TRUE(at(map(), 32, 0).launch);
}

TEST_F(LandscapeTest, LaunchesOfAnotherSizeOrCacheAreNotCompared) {
  land({{"TILE", 32}, {"PAD", 0}, {"N", 1024}}, 0.1);
  EXPECT_THAT(map().cells, testing::Each(testing::Field(&MapCell::launch, std::optional<std::uint64_t>{})));
}

TEST_F(LandscapeTest, TheBestIsStarredAndWhatIsWithinTheNoiseIsSaid) {
  land({{"TILE", 32}, {"PAD", 1}}, 1.000, 0.02);
  land({{"TILE", 32}, {"PAD", 3}}, 1.015);
  land({{"TILE", 32}, {"PAD", 2}}, 1.030);
  const Landscape found = map();
  EXPECT_TRUE(at(found, 32, 1).best);
  EXPECT_TRUE(at(found, 32, 3).within_noise) << "1.5 % apart, and the best itself varies by 2 %";
  EXPECT_FALSE(at(found, 32, 2).within_noise);
  EXPECT_THAT(found.summary, HasSubstr("1 other within noise"));
  EXPECT_THAT(found.summary, HasSubstr("padding 1"));
}

TEST_F(LandscapeTest, AWrongResultTakesNoStarAndSaysWhy) {
  land({{"TILE", 32}, {"PAD", 1}}, 1);
  Point wrong = counted_point(state, 300, state.choice.kernel, {{"TILE", 32}, {"PAD", 2}});
  wrong.timing->median = Seconds{1e-6};
  wrong.verification = Verification{.passed = false, .sentence = "7 elements differ."};
  scene::land(state, wrong);
  const Landscape found = map();
  EXPECT_TRUE(at(found, 32, 1).best);
  EXPECT_FALSE(at(found, 32, 2).launch);
  EXPECT_FALSE(at(found, 32, 2).predicted);
  EXPECT_THAT(at(found, 32, 2).why_not, HasSubstr("7 elements differ"));
}

TEST_F(LandscapeTest, WhereNothingWasMeasuredTheModelPredicts) {
  const Landscape nothing = map();
  const MapCell& present = *std::ranges::find(nothing.cells, true, &MapCell::present);
  EXPECT_TRUE(present.predicted);
  EXPECT_LE(present.time, ghost(state, roofs_of(state))->placement->time);
  EXPECT_EQ(std::ranges::count(nothing.cells, true, &MapCell::best), 1);
  EXPECT_THAT(nothing.summary, HasSubstr("Best predicted"));
  land({{"TILE", 8}, {"PAD", 0}}, 1000);
  const Landscape one = map();
  EXPECT_FALSE(at(one, 8, 0).predicted);
  EXPECT_TRUE(at(one, 8, 0).best) << "a prediction is never better than what was measured";
  EXPECT_THAT(one.summary, HasSubstr("1 of 36 legal places measured")) << "legal with some rows";
}

TEST_F(LandscapeTest, APredictedCellIsTheLeastOverTheOtherDialsOrOfTheseDials) {
  std::map<double, Seconds> at_rows;
  for (const double rows : kernel(state).parameter("ROWS")->values) {
    Parameters place = dialled(state);
    place["ROWS"] = rows;
    if (const auto there = ghost_at(state, roofs_of(state), place); there && there->placement) {
      at_rows[rows] = there->placement->time;
    }
  }
  const auto [fastest, slowest] =
      std::ranges::minmax_element(at_rows, {}, &std::pair<const double, Seconds>::second);
  ASSERT_LT(fastest->second, slowest->second) << "else the test shows nothing";
  apply(state, {SetParameter{"ROWS", slowest->first}});
  const MapCell over_others = present(map());
  EXPECT_EQ(over_others.time, fastest->second);
  EXPECT_EQ(over_others.place.at("ROWS"), fastest->first) << "a press leads where the time was predicted";
  choose({.across = "PAD", .down = "TILE", .best_over_others = false});
  EXPECT_EQ(present(map()).time, slowest->second);
}

// The cell of an advised place shows the time that the advice names.
TEST_F(LandscapeTest, WhereOneMoveLeadsThePredictionIsCorrectedByTheLaunchAtTheDials) {
  choose({.across = "PAD", .down = "TILE", .best_over_others = false});
  const Landscape by_model = map();
  const auto lands_at = [&](double tile, double pad, double factor) {
    const MapCell& cell = at(by_model, tile, pad);
    land(given_of(kernel(state), cell.place), 1e3 * factor * cell.time->value);
  };
  const double tile = dialled(state).at("TILE"), pad = dialled(state).at("PAD");
  lands_at(tile, pad, 2);
  lands_at(tile, 3, 0.5);
  const Landscape corrected = map();
  const auto moved = [&](const MapCell& cell) {
    return cell.place.at("PAD") != pad && cell.place.at("TILE") == tile;
  };
  int moves = 0;
  for (const MapCell& cell : corrected.cells) {
    if (cell.predicted && moved(cell)) {
      ++moves;
      EXPECT_NEAR(*cell.time / *at(by_model, tile, cell.place.at("PAD")).time, 2, 0.1) << text(cell.place);
    }
  }
  EXPECT_GT(moves, 1);
}

TEST_F(LandscapeTest, APredictionIsCorrectedAsTheModelErrsAtTheNearestLaunch) {
  choose({.across = "PAD", .down = "TILE", .best_over_others = false});
  const Landscape by_model = map();
  const auto lands_at = [&](double tile, double pad, double factor) {
    const MapCell& cell = at(by_model, tile, pad);
    land(given_of(kernel(state), cell.place), 1e3 * factor * cell.time->value);
  };
  lands_at(16, 0, 2);
  lands_at(32, 3, 0.5);
  const Landscape corrected = map();
  int near_the_slow = 0, near_the_fast = 0;
  for (std::size_t i = 0; i < corrected.cells.size(); ++i) {
    if (corrected.cells[i].predicted) {
      const double factor = *corrected.cells[i].time / *by_model.cells[i].time;
      ++(factor > 1 ? near_the_slow : near_the_fast);
      // What was compiled for the launch moves the model by some per cent.
      EXPECT_NEAR(factor, factor > 1 ? 2 : 0.5, 0.1);
      EXPECT_THAT(corrected.cells[i].facts.back(), HasSubstr("measured / predicted at"));
    }
  }
  EXPECT_GT(near_the_slow, 3);
  EXPECT_GT(near_the_fast, 3);
}

TEST_F(LandscapeTest, APlaceThatIsNotLegalSaysWhy) {
  choose({.across = "ROWS", .down = "TILE"});
  const Landscape found = map();
  const auto illegal =
      std::ranges::find_if(found.cells, [](const MapCell& cell) { return !cell.why_not.empty(); });
  ASSERT_NE(illegal, found.cells.end());
  EXPECT_EQ(illegal->why_not, *why_illegal(kernel(state), illegal->place));
}

TEST_F(LandscapeTest, APressedCellLeadsToItsFastestLaunch) {
  land({{"TILE", 16}, {"PAD", 1}, {"ROWS", 4}}, 2);
  const Landscape found = map();
  apply(state, {GoTo{{at(found, 16, 1).place, Caches::cold}}});
  EXPECT_EQ(dialled(state).at("TILE"), 16);
  EXPECT_EQ(dialled(state).at("PAD"), 1);
  EXPECT_EQ(dialled(state).at("ROWS"), 4);
  EXPECT_TRUE(at(map(), 16, 1).present);
}

TEST_F(LandscapeTest, EveryMetricHasAValueWhereItsCountersWereTaken) {
  land({{"TILE", 32}, {"PAD", 0}}, 2);
  struct Row {
    MapMetric metric;
    bool less_is_better;
  };
  for (const auto& [metric, less_is_better] : {Row{MapMetric::time, true},
                                               {MapMetric::rate, false},
                                               {MapMetric::nearest_share, false},
                                               {MapMetric::dram_share, false},
                                               {MapMetric::occupancy, false},
                                               {MapMetric::achieved, false},
                                               {MapMetric::registers, true},
                                               {MapMetric::dram_bytes, true},
                                               {MapMetric::l2_bytes, true},
                                               {MapMetric::l1_bytes, true}}) {
    choose({.across = "PAD", .down = "TILE", .metric = metric});
    const Landscape found = map();
    EXPECT_TRUE(at(found, 32, 0).value) << title(metric);
    EXPECT_EQ(found.less_is_better, less_is_better) << title(metric);
  }
}

TEST_F(LandscapeTest, AgainstTheModelALaunchThatTakesTwiceAsLongIsATwo) {
  const Seconds predicted = ghost_at(state, roofs_of(state), dialled(state))->placement->time;
  land(given_of(kernel(state), dialled(state)), 2e3 * predicted.value);
  choose({.across = "PAD", .down = "TILE", .metric = MapMetric::against_model});
  const Landscape found = map();
  const MapCell& present = *std::ranges::find(found.cells, true, &MapCell::present);
  EXPECT_EQ(present.text, "2.00");
  EXPECT_EQ(found.unit, "x");
}

TEST_F(LandscapeTest, TheScatterHasEveryLaunchOfTheWorkAndMarksTheFastest) {
  land({{"TILE", 32}, {"PAD", 0}, {"ROWS", 8}}, 4);
  land({{"TILE", 32}, {"PAD", 0}, {"ROWS", 4}}, 2);
  land({{"TILE", 32}, {"PAD", 0}, {"N", 1024}}, 0.1);
  EXPECT_THAT(map().scatter, IsEmpty()) << "nobody asked for it";
  choose({.across = "PAD", .down = "TILE", .scatter = true});
  const Landscape found = map();
  ASSERT_THAT(found.scatter, SizeIs(2));
  for (const ScatterDot& dot : found.scatter) {
    EXPECT_EQ(dot.best, dot.launch == 102);
    EXPECT_EQ(dot.occupancy, 0.9) << "as it was counted";
  }
}

void expect_same(const Landscape& kept, const Landscape& anew) {
  ASSERT_EQ(kept.cells.size(), anew.cells.size());
  EXPECT_EQ(kept.summary, anew.summary);
  for (std::size_t i = 0; i < anew.cells.size(); ++i) {
    EXPECT_EQ(kept.cells[i].launch, anew.cells[i].launch) << i;
    EXPECT_EQ(kept.cells[i].text, anew.cells[i].text) << i;
    EXPECT_EQ(kept.cells[i].facts, anew.cells[i].facts) << i;
    EXPECT_EQ(kept.cells[i].present, anew.cells[i].present) << i;
    EXPECT_EQ(kept.cells[i].why_not, anew.cells[i].why_not) << i;
  }
  ASSERT_EQ(kept.scatter.size(), anew.scatter.size());
  for (std::size_t i = 0; i < anew.scatter.size(); ++i) {
    EXPECT_EQ(kept.scatter[i].launch, anew.scatter[i].launch) << i;
    EXPECT_EQ(kept.scatter[i].rate, anew.scatter[i].rate) << i;
  }
}

TEST_F(LandscapeTest, WhatIsKeptOfItIsWhatWouldBeWorkedOutAnew) {
  const auto log = std::make_shared<SessionLog>(*state.known.session.log);
  state.known.session.log = log;
  choose({.across = "PAD", .down = "TILE", .scatter = true});
  std::uint64_t id = 0;
  const auto arrives = [&](const Parameters& given, double milliseconds) {
    Point point = counted_point(state, ++id, "transpose_tiled", given);
    point.timing->median = Seconds{milliseconds * 1e-3};
    log->add(point);
    follow_log(state);
    refresh(state);
  };
  const auto check = [&](const char* when) {
    SCOPED_TRACE(when);
    while (state.derived.shown.landscape.unfinished) {
      refresh_look(state);
    }
    KeptMap nothing;
    expect_same(state.derived.shown.landscape, finished(nothing));
  };
  check("nothing was measured");
  arrives({{"TILE", 32}, {"PAD", 0}}, 4);
  check("the first launch");
  arrives({{"TILE", 32}, {"PAD", 0}, {"ROWS", 4}}, 2);
  check("a faster one in the same cell");
  arrives({{"TILE", 32}, {"PAD", 0}, {"ROWS", 4}}, 6);
  check("the same launch again, slower");
  apply(state, {SetParameter{"PAD", 1}});
  check("the dials have moved");
  choose({.across = "PAD", .down = "TILE", .best_over_others = false, .scatter = true});
  check("the other dials are fixed");
  choose({.across = "PAD", .down = "TILE", .metric = MapMetric::registers});
  check("another metric");
  choose({.across = "N", .down = "TILE"});
  check("a size across");
  apply(state, {SetCaches{Caches::warm}});
  check("warm caches");
}

TEST(Viridis, RisesInBrightnessAllTheWay) {
  double before = 0;
  for (int i = 0; i <= 100; ++i) {
    const double now = contrast(viridis(i / 100.0), {0, 0, 0});
    EXPECT_GT(now, before) << i;
    EXPECT_GE(contrast(viridis(i / 100.0), readable_on(viridis(i / 100.0))), text_contrast) << i;
    before = now;
  }
}

}  // namespace
}  // namespace rooftile::scene
