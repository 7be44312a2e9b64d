#include "analysis/manifest/combinations.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "analysis/text/error.hpp"

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

TEST(Combinations, MoreThanCanBeTriedAreRefusedWithTheirNumber) {
  Manifest manifest;
  manifest.name = "mine";
  for (int i = 0; i < 12; ++i) {
    Parameter& parameter = manifest.parameters.emplace_back();
    parameter.name = fmt::format("P{}", i);
    parameter.values = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  }
  EXPECT_THAT(
      [&] { every_combination(manifest); },
      testing::ThrowsMessage<Error>("mine: 1,000,000,000,000 combinations are more than the 100,000 that "
                                    "can be tried: name fewer values."));
  manifest.parameters.resize(5);
  for (int i = 5; i < 12; ++i) {
    manifest.parameters.emplace_back().role = ParameterRole::size;
    manifest.parameters.back().where = ParameterPlace::argument;
    manifest.parameters.back().name = fmt::format("P{}", i);
    manifest.parameters.back().values = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  }
  EXPECT_EQ(every_combination(manifest).size(), 100'000u) << "sizes keep their defaults";
}

TEST(Combinations, AreOfDialsWhereverTheyGoAndOfCompiledSizes) {
  const struct {
    ParameterRole role;
    ParameterPlace where;
    std::size_t combinations;
  } rows[] = {
      {ParameterRole::dial, ParameterPlace::macro, 2},
      {ParameterRole::dial, ParameterPlace::template_argument, 2},
      {ParameterRole::dial, ParameterPlace::argument, 2},
      {ParameterRole::dial, ParameterPlace::launch, 2},
      {ParameterRole::size, ParameterPlace::macro, 2},
      {ParameterRole::size, ParameterPlace::argument, 1},
      {ParameterRole::size, ParameterPlace::launch, 1},
      {ParameterRole::scalar, ParameterPlace::argument, 1},
  };
  for (const auto& row : rows) {
    Manifest manifest;
    Parameter& parameter = manifest.parameters.emplace_back();
    parameter.name = "P";
    parameter.role = row.role;
    parameter.where = row.where;
    parameter.values = {0, 1};
    EXPECT_EQ(every_combination(manifest).size(), row.combinations) << &row - rows;
  }
}

}  // namespace
}  // namespace rooftile
