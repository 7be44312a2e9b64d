#include "analysis/advice/known_launches.hpp"

#include <gmock/gmock.h>

#include "analysis/manifest/catalogue.hpp"
#include "analysis/platform/catalogue_files.hpp"

namespace rooftile {
namespace {

const Manifest& transpose() {
  static const std::vector<Manifest> kernels = platform::load_catalogue_with({}).kernels;
  return find_kernel(kernels, "transpose_tiled");
}

Point transpose_launch(std::uint64_t id, const Parameters& parameters, double microseconds) {
  Point point;
  point.id = id;
  point.kernel = transpose().name;
  point.gpu = "GPU";
  point.parameters = complete(transpose(), parameters);
  point.compiled = Compiled{.cc = {9, 0}, .registers = static_cast<int>(10 + id)};
  const Seconds time{1e-6 * microseconds};
  point.timing = Timing{time, time, time, 7};
  return point;
}

KnownLaunch known(const Point& point) {
  return {point.parameters, &point};
}

TEST(KnownLaunches, TimesAreOfTheSameProblemAndCaches) {
  const Point here = transpose_launch(1, {{"N", 1024}, {"PAD", 0}}, 10);
  const Point padded = transpose_launch(2, {{"N", 1024}, {"PAD", 1}}, 8);
  const Point larger = transpose_launch(3, {{"N", 2048}, {"PAD", 1}}, 40);
  Point warm = transpose_launch(4, {{"N", 1024}, {"PAD", 0}}, 5);
  warm.caches = Caches::warm;
  Point failed = transpose_launch(5, {{"N", 1024}, {"PAD", 0}}, 1);
  failed.failure.emplace();
  const KnownLaunches all(transpose(), {known(here), known(padded), known(larger), known(warm), known(failed)});
  EXPECT_THAT(all.timed(here.parameters, Caches::cold),
              testing::UnorderedElementsAre(testing::Pair(here.parameters, &here),
                                            testing::Pair(padded.parameters, &padded)));
  EXPECT_THAT(all.timed(here.parameters, Caches::warm),
              testing::ElementsAre(testing::Pair(warm.parameters, &warm)));
  EXPECT_TRUE(all.timed(larger.parameters, Caches::warm).empty());
}

TEST(KnownLaunches, WhatWasCompiledServesEverySize) {
  const Point small = transpose_launch(1, {{"N", 1024}, {"PAD", 1}}, 8);
  const KnownLaunches all(transpose(), {known(small)});
  const Compiled* found = all.compiled(complete(transpose(), {{"N", 4096}, {"PAD", 1}}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->registers, 11);
  EXPECT_FALSE(all.compiled(complete(transpose(), {{"N", 1024}, {"PAD", 0}})));
}

TEST(KnownLaunches, TheLastLaunchOfAPlaceCounts) {
  const Point before = transpose_launch(1, {{"PAD", 1}}, 8), now = transpose_launch(2, {{"PAD", 1}}, 7);
  const KnownLaunches all(transpose(), {known(before), known(now)});
  EXPECT_THAT(all.timed(now.parameters, Caches::cold),
              testing::ElementsAre(testing::Pair(now.parameters, &now)));
  EXPECT_EQ(all.compiled(now.parameters)->registers, 12);
}

TEST(LaunchesOf, LeavesOutWhatTheKernelNoLongerHas) {
  SessionLog log;
  Point lost = transpose_launch(1, {}, 8), other_gpu = transpose_launch(2, {}, 8), other_kernel = other_gpu;
  lost.parameters["SWIZZLE"] = 1;
  other_gpu.gpu = "another";
  other_kernel.kernel = "copy";
  other_kernel.id = 3;
  for (const Point& point : {lost, other_gpu, other_kernel, transpose_launch(4, {}, 8)}) {
    log.add(point);
  }
  const auto launches = launches_of(log, transpose(), "GPU");
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_EQ(launches.front().point->id, 4u);
}

}  // namespace
}  // namespace rooftile
