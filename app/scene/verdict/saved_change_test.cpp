#include "app/scene/verdict/saved_change.hpp"

#include <gtest/gtest.h>

namespace rooftile::scene {
namespace {

Point timed(double fastest, double median, double slowest, int registers = 32) {
  Point point;
  point.timing = Timing{.median = {median * 1e-6}, .fastest = {fastest * 1e-6}, .slowest = {slowest * 1e-6}};
  point.compiled = Compiled{.cc = {9, 0}, .registers = registers};
  return point;
}

TEST(SavedChange, TellsTheRatioWhereTheTimesLieApart) {
  EXPECT_EQ(what_was_changed(timed(19, 20, 21), timed(9, 10, 11, 40)),
            "10.0 µs, 2.00x as fast as before (20.0 µs); 40 registers instead of 32");
  EXPECT_EQ(what_was_changed(timed(9, 10, 11), timed(19, 20, 21)),
            "20.0 µs, 0.50x as fast as before (10.0 µs)");
}

TEST(SavedChange, TimesThatOverlapAreEqual) {
  EXPECT_EQ(what_was_changed(timed(19, 20, 21), timed(18, 19.5, 19.8)),
            "19.5 µs, as before within the scatter of the launches (20.0 µs)");
}

}  // namespace
}  // namespace rooftile::scene
