#include "analysis/manifest/differing.hpp"

#include <gmock/gmock.h>

namespace rooftile {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Differing, NamesTheValuesThatAreNotTheSame) {
  EXPECT_THAT(differing({{"N", 512}, {"PAD", 1}, {"TILE", 4}}, {{"N", 700}, {"PAD", 1}, {"TILE", 8}}),
              ElementsAre("N", "TILE"));
  EXPECT_THAT(differing({{"PAD", 1}}, {{"PAD", 1}}), IsEmpty());
}

TEST(Differing, NamesWhatOneOfTheTwoLacks) {
  EXPECT_THAT(differing({{"TILE", 4}}, {{"PAD", 0}, {"TILE", 4}}), ElementsAre("PAD"));
  EXPECT_THAT(differing({{"PAD", 0}, {"TILE", 4}}, {{"TILE", 4}}), ElementsAre("PAD"));
}

TEST(Differing, OfManyNamesWhatAnyTwoDifferIn) {
  const Parameters first = {{"N", 1}, {"PAD", 0}, {"TILE", 4}}, second = {{"N", 1}, {"PAD", 1}, {"TILE", 4}},
                   third = {{"N", 1}, {"PAD", 0}, {"TILE", 8}};
  EXPECT_THAT(differing({&first, &second, &third}), ElementsAre("PAD", "TILE"));
  EXPECT_THAT(differing({&first}), IsEmpty());
  EXPECT_THAT(differing(std::vector<const Parameters*>{}), IsEmpty());
}

}  // namespace
}  // namespace rooftile
