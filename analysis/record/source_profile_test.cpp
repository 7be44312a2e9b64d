#include "analysis/record/source_profile.hpp"

#include <gmock/gmock.h>

namespace rooftile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

LineProfile load_line() {
  LineProfile line;
  line.line = 27;
  line.executed = 131072;
  line.shared_wavefronts = 4194304;
  line.ideal_shared_wavefronts = 131072;
  line.stalls = {{"selected", 50}, {"mio_throttle", 30}, {"short_scoreboard", 60}, {"barrier", 0}};
  return line;
}

TEST(SourceProfile, TotalsAddUpWhatWasCountedAndLeaveOutWhatWasNot) {
  SourceProfile profile;
  profile.lines = {load_line(), load_line()};
  profile.lines[1].stalls = {{"barrier", 7}};
  profile.lines[1].ideal_shared_wavefronts.reset();
  const LineProfile sum = total(profile);
  EXPECT_EQ(sum.executed, 262144);
  EXPECT_EQ(sum.shared_wavefronts, 8388608);
  EXPECT_EQ(sum.ideal_shared_wavefronts, 131072);
  EXPECT_EQ(sum.global_sectors, std::nullopt);
  EXPECT_EQ(sum.samples(), 147);
}

TEST(SourceProfile, StallsAreTheWaitingReasonsLargestFirst) {
  EXPECT_THAT(stalls(load_line()), ElementsAre(Stall{"short_scoreboard", 60}, Stall{"mio_throttle", 30}));
  EXPECT_THAT(stalls({}), testing::IsEmpty());
}

TEST(SourceProfile, ReasonsHaveAMeaningOrTheirName) {
  EXPECT_THAT(meaning("long_scoreboard"), HasSubstr("global"));
  EXPECT_THAT(meaning("barrier"), HasSubstr("__syncthreads"));
  EXPECT_EQ(meaning("of_next_year"), "of_next_year");
}

TEST(SourceProfile, BelongsToPointsOfTheSameLaunch) {
  Point point;
  point.kernel = "transpose_tiled";
  point.parameters = {{"TILE", 32}};
  point.gpu = "H200";
  SourceProfile profile;
  profile.kernel = point.kernel;
  profile.parameters = point.parameters;
  profile.gpu = point.gpu;
  EXPECT_TRUE(same_launch(profile, point));
  point.caches = Caches::warm;
  EXPECT_FALSE(same_launch(profile, point));
}

TEST(SourceProfile, ItsCostGrowsWithTheLaunch) {
  const Architecture hopper = closest_architecture({9, 0});
  EXPECT_LT(profile_cost(Seconds{30e-6}, hopper).about, Seconds{0.5});
  EXPECT_GT(profile_cost(Seconds{0.12}, hopper).about, Seconds{10});
  EXPECT_THAT(text(profile_cost(Seconds{1e-3}, hopper)),
              HasSubstr("launches, one of them instrumented: about 570 ms"));
}

}  // namespace
}  // namespace rooftile
