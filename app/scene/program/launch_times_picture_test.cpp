#include "app/scene/program/launch_times_picture.hpp"

#include "app/scene/picture/test_picture.hpp"

namespace rooftile::scene {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

bool is_within(const Rect& place, Spot spot) {
  return spot.x >= place.x && spot.x <= place.right() && spot.y >= place.y && spot.y <= place.bottom();
}

// One launch of ten took four times as long.
std::vector<LaunchTime> ten_launches() {
  std::vector<LaunchTime> launches;
  for (int i = 0; i < 10; ++i) {
    launches.push_back({{0.1 * i}, {i == 7 ? 40e-6 : 10e-6}});
  }
  return launches;
}

TEST(LaunchTimesPicture, HasADotForEachLaunchAtItsTimeAndDuration) {
  const std::vector<LaunchTime> launches = ten_launches();
  const TimesPicture picture = launch_times_picture(launches, {10e-6}, frame_of(600, 200));
  ASSERT_EQ(picture.dots.size(), 10u);
  for (std::size_t i = 1; i < 10; ++i) {
    EXPECT_GT(picture.dots[i].x, picture.dots[i - 1].x);
    if (i != 7) {
      EXPECT_FLOAT_EQ(picture.dots[i].y, picture.dots[0].y);
    }
  }
  const float foot = picture.plot.bottom();
  EXPECT_NEAR((foot - picture.dots[7].y) / (foot - picture.dots[0].y), 4, 1e-3) << "the axis begins at zero";
  EXPECT_FLOAT_EQ(picture.dots[0].x, picture.plot.x);
  for (const Spot& dot : picture.dots) {
    EXPECT_TRUE(is_within(picture.plot, dot));
  }
}

TEST(LaunchTimesPicture, NamesTheLaunchUnderThePointer) {
  const std::vector<LaunchTime> launches = ten_launches();
  const TimesPicture picture = launch_times_picture(launches, {10e-6}, frame_of(600, 200));
  EXPECT_THAT(launch_time_facts(launches, {10e-6}, picture, picture.dots[7], 5),
              ElementsAre(HasSubstr("700 ms after"), HasSubstr("4.00x of the median")));
  EXPECT_THAT(launch_time_facts(launches, {10e-6}, picture, {picture.plot.x, picture.plot.y}, 5), IsEmpty());
}

TEST(LaunchTimesPicture, TheTitleSaysWhatIsShown) {
  ProgramLaunches program{10, 0, 1, {1e-4}, 1};
  program.over_time = ten_launches();
  EXPECT_EQ(launch_times_title(program), "10 launches");
  program.launches = 2000;
  EXPECT_THAT(launch_times_title(program), HasSubstr("10 of 2,000 launches"));
}

TEST(LaunchTimesPicture, OneLaunchStandsWithinThePlot) {
  const std::vector<LaunchTime> launches = {{{0}, {5e-6}}};
  const TimesPicture picture = launch_times_picture(launches, {5e-6}, frame_of(300, 60));
  ASSERT_EQ(picture.dots.size(), 1u);
  EXPECT_TRUE(is_within(picture.plot, picture.dots[0]));
}

}  // namespace
}  // namespace rooftile::scene
