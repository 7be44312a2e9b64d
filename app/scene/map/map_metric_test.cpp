#include "app/scene/map/map_metric.hpp"

#include <gmock/gmock.h>

#include <set>

namespace rooftile::scene {
namespace {

TEST(MapMetric, EachHasATitleOfItsOwn) {
  std::set<std::string_view> titles;
  for (const MapMetric metric : map_metrics()) {
    titles.insert(title(metric));
  }
  EXPECT_EQ(titles.size(), map_metrics().size());
  EXPECT_EQ(map_metrics().back(), MapMetric::against_model) << "the last of all";
}

TEST(MapMetric, HitRatesAreSharesOfWhatWasAskedFor) {
  Point point;
  EXPECT_EQ(figure_of(MapMetric::l2_hits, point, {}, nullptr), std::nullopt) << "nothing was counted";
  point.counters.emplace();
  point.counters->l1_sectors = 200;
  point.counters->l1_hits = 50;
  point.counters->l2_requests = 10;
  point.counters->l2_hits = 4;
  EXPECT_EQ(figure_of(MapMetric::l1_hits, point, {}, nullptr), 0.25);
  EXPECT_EQ(figure_of(MapMetric::l2_hits, point, {}, nullptr), 0.4);
  EXPECT_EQ(unit_of(MapMetric::l2_hits, 1, true).name, "%");
}

TEST(MapMetric, AShareIsThatOfItsLevel) {
  Placement placement;
  LevelUse& l2 = placement.levels.emplace_back();
  l2.level = MemoryLevel::l2;
  l2.share = 0.5;
  EXPECT_EQ(figure_of(MapMetric::l2_share, {}, placement, nullptr), 0.5);
  EXPECT_EQ(figure_of(MapMetric::dram_share, {}, placement, nullptr), std::nullopt);
}

}  // namespace
}  // namespace rooftile::scene
