#include "analysis/manifest/neighbours.hpp"

#include <gmock/gmock.h>

#include "analysis/platform/catalogue_files.hpp"
#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

Parameter dial(const std::string& name, std::vector<double> values, const std::string& preset) {
  Parameter parameter;
  parameter.name = name;
  parameter.values = std::move(values);
  parameter.range = {{0, 4096}};
  parameter.default_value = Expression(preset, {});
  return parameter;
}

Manifest tiled_kernel() {
  Manifest manifest;
  manifest.name = "tiled";
  manifest.parameters = {dial("TILE", {4, 8, 16, 32}, "16"), dial("PAD", {0, 1, 2}, "0"),
                         dial("N", {512, 1024}, "512")};
  manifest.parameters.back().role = ParameterRole::size;
  manifest.parameters.back().where = ParameterPlace::argument;
  manifest.constraints = {{Expression("TILE < 32 || PAD < 2", {"TILE", "PAD", "N"}), "It does not fit."}};
  return manifest;
}

std::vector<std::string> from(const Parameters& parameters) {
  std::vector<std::string> all;
  for (const Configuration& configuration : neighbours(tiled_kernel(), {"tiled", parameters, Caches::warm})) {
    all.push_back(text(configuration.parameters));
    EXPECT_EQ(configuration.caches, Caches::warm);
  }
  return all;
}

TEST(Neighbours, AreOneDialAwayTheNearestFirst) {
  EXPECT_THAT(from({}), ElementsAre("N=512 PAD=0 TILE=8", "N=512 PAD=0 TILE=32", "N=512 PAD=1 TILE=16",
                                    "N=512 PAD=0 TILE=4", "N=512 PAD=2 TILE=16"));
}

TEST(Neighbours, TwoDialsAwayAreTheNearestFirst) {
  std::vector<std::string> all;
  for (const Configuration& each : two_dials_away(tiled_kernel(), {"tiled", {}, Caches::cold})) {
    all.push_back(text(each.parameters));
  }
  EXPECT_THAT(all, ElementsAre("N=512 PAD=1 TILE=8", "N=512 PAD=1 TILE=32", "N=512 PAD=1 TILE=4",
                               "N=512 PAD=2 TILE=8", "N=512 PAD=2 TILE=4"));
}

// PAD=2 is illegal beside TILE=32, and TILE=16 beside PAD=2 is not.
TEST(Neighbours, TwoDialsAwayMayBeReachedThroughAnIllegalPlace) {
  const auto places = two_dials_away(tiled_kernel(), {"tiled", {{"TILE", 32}}, Caches::cold});
  EXPECT_TRUE(std::ranges::any_of(places, [](const Configuration& each) {
    return each.parameters.at("TILE") == 16 && each.parameters.at("PAD") == 2;
  }));
}

TEST(Neighbours, OfATypedValueAreAllThatTheSliderOffers) {
  EXPECT_THAT(from({{"TILE", 5}, {"PAD", 2}, {"N", 700}}),
              UnorderedElementsAre("N=700 PAD=2 TILE=4", "N=700 PAD=2 TILE=8", "N=700 PAD=2 TILE=16",
                                   "N=700 PAD=0 TILE=5", "N=700 PAD=1 TILE=5"));
}

TEST(Neighbours, LeaveOutWhatIsIllegal) {
  EXPECT_THAT(from({{"TILE", 32}, {"PAD", 1}}),
              UnorderedElementsAre("N=512 PAD=1 TILE=4", "N=512 PAD=1 TILE=8", "N=512 PAD=1 TILE=16",
                                   "N=512 PAD=0 TILE=32"));
}

TEST(Neighbours, OfADialOfTheLaunchAreNone) {
  Manifest manifest = tiled_kernel();
  manifest.parameters[1].where = ParameterPlace::launch;
  std::vector<std::string> all;
  for (const Configuration& each : neighbours(manifest, {"tiled", {}, Caches::cold})) {
    all.push_back(text(each.parameters));
  }
  EXPECT_THAT(all, ElementsAre("N=512 PAD=0 TILE=8", "N=512 PAD=0 TILE=32", "N=512 PAD=0 TILE=4"));
}

// They are moved as the other dials are, but no compiler is asked.
TEST(Neighbours, OfBundledKernelsDifferInWhatIsCompiled) {
  const auto catalogue = platform::load_catalogue_with({}).kernels;
  for (const auto& [kernel, dial] : {std::pair("row_softmax", "CARVEOUT"), {"gemm_bf16_wgmma", "BLOCKS"}}) {
    const Manifest& manifest = find_kernel(catalogue, kernel);
    const Parameters here = complete(manifest, {});
    const auto is_moved = [&](const Parameters& there) { return there.at(dial) != here.at(dial); };
    for (const Configuration& each : neighbours(manifest, {kernel, here, Caches::cold})) {
      EXPECT_FALSE(is_moved(each.parameters)) << text(each.parameters);
    }
    EXPECT_TRUE(std::ranges::any_of(dial_moves(manifest, here), is_moved)) << dial;
    EXPECT_FALSE(problem_of(manifest, here).contains(dial)) << dial;
  }
}

std::vector<std::string> moves_from(const Parameters& parameters) {
  const Manifest manifest = tiled_kernel();
  std::vector<std::string> all;
  for (const Parameters& place : dial_moves(manifest, complete(manifest, parameters))) {
    all.push_back(text(place));
  }
  return all;
}

TEST(DialMoves, AreAnyValueOfOneDialOrAStepOfTwo) {
  EXPECT_THAT(moves_from({}),
              UnorderedElementsAre("N=512 PAD=0 TILE=4", "N=512 PAD=0 TILE=8", "N=512 PAD=0 TILE=32",
                                   "N=512 PAD=1 TILE=16", "N=512 PAD=2 TILE=16",  // one dial
                                   "N=512 PAD=1 TILE=8", "N=512 PAD=1 TILE=32"));
}

TEST(DialMoves, LeadFromATypedValueToThoseOfTheSlider) {
  EXPECT_THAT(moves_from({{"TILE", 5}, {"PAD", 2}}),
              UnorderedElementsAre("N=512 PAD=2 TILE=4", "N=512 PAD=2 TILE=8", "N=512 PAD=2 TILE=16",
                                   "N=512 PAD=0 TILE=5", "N=512 PAD=1 TILE=5",  // one dial
                                   "N=512 PAD=1 TILE=4", "N=512 PAD=1 TILE=8"));
}

TEST(DialMoves, NameTheDialsThatDiffer) {
  EXPECT_THAT(
      moved_dials(tiled_kernel(), {{"TILE", 4}, {"PAD", 1}, {"N", 512}}, {{"TILE", 8}, {"PAD", 1}, {"N", 700}}),
      ElementsAre("TILE"));
}

TEST(DialMoves, AreCountedInStepsOfEachDial) {
  const Manifest manifest = tiled_kernel();
  const Parameters here = {{"TILE", 8}, {"PAD", 0}, {"N", 512}};
  EXPECT_EQ(steps_between(manifest, here, here), 0);
  EXPECT_EQ(steps_between(manifest, here, {{"TILE", 16}, {"PAD", 1}, {"N", 1024}}), 2);
  EXPECT_EQ(steps_between(manifest, here, {{"TILE", 4}, {"PAD", 2}, {"N", 512}}), 3);
}

}  // namespace
}  // namespace rooftile
