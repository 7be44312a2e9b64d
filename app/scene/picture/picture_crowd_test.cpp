// Launches as specks, where a decade is 100 px.
#include "app/scene/picture/picture_crowd.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <random>

#include "app/scene/picture/test_picture.hpp"

namespace rooftile::scene {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

Speck speck(std::uint64_t id, double intensity, double performance, MemoryLevel level = MemoryLevel::dram,
            Evidence evidence = Evidence::counted) {
  return {id, static_cast<float>(std::log(intensity)), static_cast<float>(std::log(performance)), level,
          evidence};
}

ChartPicture crowd_picture(std::vector<Speck> crowd, const ChartFrame& frame = round_frame()) {
  Chart chart;
  chart.crowd = std::move(crowd);
  ChartPicture picture;
  picture.plot = roofline_plot(frame);
  lay_out_crowd(picture, chart, scales_of(round_axes, picture.plot), frame);
  return picture;
}

std::vector<std::uint64_t> launches(const ChartPicture& picture) {
  std::vector<std::uint64_t> ids;
  for (const PlacedDot& dot : picture.dots) {
    ids.push_back(dot.launch);
  }
  return ids;
}

TEST(PictureCrowd, ASpeckStandsWhereItsNumbersSay) {
  const ChartPicture picture = crowd_picture({speck(4, 10, 1e13)});
  ASSERT_THAT(picture.dots, SizeIs(1));
  EXPECT_NEAR(picture.dots[0].at.x, 272, 0.01);
  EXPECT_NEAR(picture.dots[0].at.y, 208, 0.01);
  EXPECT_EQ(marks<Specks>(picture.inside)[0].centres[0], picture.dots[0].at);
}

TEST(PictureCrowd, ASpeckWithoutAPlaceIsLeftOut) {
  const float nowhere = std::numeric_limits<float>::quiet_NaN(), far = std::numeric_limits<float>::infinity();
  for (const float place : {nowhere, far, -far}) {
    Speck lost = speck(1, 10, 1e13), high = lost;
    lost.log_intensity = place;
    high.log_performance = place;
    EXPECT_THAT(launches(crowd_picture({lost, high, speck(3, 10, 1e13)})), ElementsAre(3u)) << place;
  }
}

TEST(PictureCrowd, TheAreaOfASpeckShowsItsOccupancy) {
  Speck full = speck(1, 1, 1e12), quarter = speck(2, 10, 1e12), unknown = speck(3, 100, 1e12);
  full.occupancy = 1;
  quarter.occupancy = 0.2;
  const ChartPicture picture = crowd_picture({full, quarter, unknown});
  ASSERT_THAT(picture.dots, SizeIs(3));
  const auto area = [&](std::size_t i) { return picture.dots[i].radius * picture.dots[i].radius; };
  EXPECT_NEAR(area(0) / area(2), 1.75, 1e-3) << "the upper quarter";
  EXPECT_NEAR(area(1) / area(2), 0.25, 1e-3) << "the lowest";
}

TEST(PictureCrowd, IsOneMarkForEachLevelAndEvidence) {
  std::vector<Speck> crowd;
  std::uint64_t id = 0;
  for (const MemoryLevel level : memory_levels) {
    for (const Evidence evidence : {Evidence::predicted, Evidence::timed, Evidence::counted}) {
      crowd.push_back(speck(++id, 1, 1e12, level, evidence));
      crowd.push_back(speck(++id, 10, 1e13, level, evidence));
    }
  }
  const auto specks = marks<Specks>(crowd_picture(crowd).inside);
  EXPECT_THAT(specks, SizeIs(memory_levels.size())) << "on one place the newest evidence is drawn";
  for (std::size_t i = 0; i < specks.size(); ++i) {
    EXPECT_THAT(specks[i].centres, SizeIs(2));
    EXPECT_EQ(specks[i].colour, palette(Theme::dark).level(memory_levels[i]));
    EXPECT_EQ(specks[i].evidence, Evidence::counted);
  }
}

TEST(PictureCrowd, TheThreeKindsOfEvidenceKeepTheirShape) {
  const ChartPicture picture = crowd_picture({speck(1, 1, 1e12, MemoryLevel::l2, Evidence::predicted),
                                              speck(2, 1, 1e13, MemoryLevel::l2, Evidence::timed),
                                              speck(3, 1, 1e14, MemoryLevel::l2, Evidence::counted)});
  std::vector<Evidence> shapes;
  for (const Specks& each : marks<Specks>(picture.inside)) {
    shapes.push_back(each.evidence);
  }
  EXPECT_THAT(shapes, ElementsAre(Evidence::predicted, Evidence::timed, Evidence::counted));
}

TEST(PictureCrowd, OfThoseOnOnePlaceTheNewestIsDrawnAndTheNewestIsForemost) {
  EXPECT_THAT(launches(crowd_picture({speck(1, 1, 1e12), speck(2, 10, 1e12), speck(3, 1, 1e12)})),
              ElementsAre(2, 3));
  EXPECT_THAT(launches(crowd_picture({speck(1, 1, 1e12), speck(2, 1, 1e12, MemoryLevel::l1)})),
              ElementsAre(1, 2))
      << "another level has its own colour";
}

TEST(PictureCrowd, WhatLiesOutsideTheAxesIsNotDrawn) {
  const ChartPicture picture =
      crowd_picture({speck(1, 0.09, 1e12), speck(2, 1001, 1e12), speck(3, 1, 0.9e11), speck(4, 1, 1.1e15)});
  EXPECT_THAT(picture.dots, IsEmpty());
  EXPECT_THAT(picture.inside, IsEmpty());
}

TEST(PictureCrowd, GrowsWithTheScaleOfTheFrame) {
  const auto radius = [](const ChartFrame& frame) {
    return crowd_picture({speck(1, 1, 1e12)}, frame).dots[0].radius;
  };
  EXPECT_FLOAT_EQ(radius(frame_of(968, 924, 2)), 2 * radius(round_frame()));
}

// Ten thousand at random, some of them outside.
std::vector<Speck> many() {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> x(-1.2, 3.2), y(10.8, 15.2);
  std::vector<Speck> crowd;
  for (std::uint64_t id = 1; id <= 10000; ++id) {
    crowd.push_back(speck(id, std::pow(10, x(random)), std::pow(10, y(random))));
  }
  return crowd;
}

TEST(PictureCrowd, OfManyEachIsDrawnOrHiddenByOneThatIsNearerThanTheEyeCanTell) {
  constexpr float hardly_apart = 1.5f * 1.4143f;  // two corners of a cell
  const std::vector<Speck> crowd = many();
  const ChartPicture picture = crowd_picture(crowd);
  const RooflineScales scales = scales_of(round_axes, picture.plot);
  EXPECT_LT(picture.dots.size(), crowd.size());
  for (const Speck& each : crowd) {
    const Spot at{scales.x.at_logarithm(each.log_intensity), scales.y.at_logarithm(each.log_performance)};
    const bool is_inside = holds(picture.plot, {at.x, at.y, 0, 0});
    const auto stands_for_it = [&](const PlacedDot& dot) {
      return is_inside ? dot.launch >= each.id && distance(dot.at, at, at) <= hardly_apart
                       : dot.launch == each.id;
    };
    EXPECT_EQ(std::ranges::any_of(picture.dots, stands_for_it), is_inside) << each.id;
  }
  EXPECT_TRUE(std::ranges::is_sorted(launches(picture)));
}

}  // namespace
}  // namespace rooftile::scene
