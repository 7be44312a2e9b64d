#include "analysis/record/distinguishing.hpp"

#include <gtest/gtest.h>

#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

Point point(const std::string& kernel, Parameters parameters) {
  Point one;
  one.kernel = kernel;
  one.parameters = std::move(parameters);
  one.final = true;
  return one;
}

TEST(Distinguishing, KeepsWhatDiffersAmongPointsOfAKernel) {
  PointList points;
  points.add(point("sgemm", {{"TILE", 8}, {"N", 512}, {"K", 512}, {"alpha", 1}}));
  points.add(point("sgemm", {{"TILE", 16}, {"N", 512}, {"K", 512}, {"alpha", 1}}));
  points.add(point("sgemm", {{"TILE", 16}, {"N", 1024}, {"K", 1024}, {"alpha", 1}}));
  points.add(point("transpose", {{"TILE", 32}}));
  const auto apart = distinguishing(points);
  ASSERT_EQ(apart.size(), 4u);
  EXPECT_EQ(text(apart[0]), "N=512 TILE=8") << "K goes with N";
  EXPECT_EQ(text(apart[2]), "N=1024 TILE=16");
  EXPECT_EQ(text(apart[3]), "") << "the only one of its kernel";
}

}  // namespace
}  // namespace rooftile
