#include "analysis/combinations.hpp"

#include <gmock/gmock.h>

namespace rooftile {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Combinations, EachSettingIsExtendedByEachValueInOrder) {
  const std::vector<Parameters> all = extended(extended({{{"N", 1024}}}, "TILE", {8, 16}), "PAD", {0, 1});
  EXPECT_THAT(all, ElementsAre(Parameters{{"N", 1024}, {"TILE", 8}, {"PAD", 0}},
                               Parameters{{"N", 1024}, {"TILE", 8}, {"PAD", 1}},
                               Parameters{{"N", 1024}, {"TILE", 16}, {"PAD", 0}},
                               Parameters{{"N", 1024}, {"TILE", 16}, {"PAD", 1}}));
}

TEST(Combinations, ALaterValueReplacesAnEarlierOne) {
  EXPECT_THAT(extended({{{"TILE", 4}}}, "TILE", {8, 16}),
              ElementsAre(Parameters{{"TILE", 8}}, Parameters{{"TILE", 16}}));
  EXPECT_THAT(extended({{}}, "TILE", {}), IsEmpty());
}

}  // namespace
}  // namespace rooftile
