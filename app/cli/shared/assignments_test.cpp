#include "app/cli/shared/assignments.hpp"

#include <gmock/gmock.h>

#include "analysis/platform/catalogue_files.hpp"
#include "analysis/text/format.hpp"
#include "app/cli/shared/options.hpp"

namespace rooftile::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Arguments = std::vector<std::string>;

const Manifest& sgemm() {
  static const Manifest manifest =
      platform::load_manifest(ROOFTILE_SOURCE_DIR "/kernels/multiply/sgemm_tiled/kernel.toml");
  return manifest;
}

const Manifest& naive() {
  static const Manifest manifest =
      platform::load_manifest(ROOFTILE_SOURCE_DIR "/kernels/multiply/sgemm_naive/kernel.toml");
  return manifest;
}

// "8/0 8/1": tile and padding of A, in order.
std::string tiles(const LegalCombinations& plan) {
  std::string all;
  for (const auto& one : plan.configurations) {
    all += (all.empty() ? "" : " ") + number(one.at("TILE")) + "/" + number(one.at("PAD_A"));
  }
  return all;
}

TEST(Assignments, GivenValuesAndDefaultsForTheRest) {
  const Parameters all = configuration(sgemm(), {"TILE=32", "N=512", "alpha=0.5"});
  EXPECT_EQ(all.at("TILE"), 32);
  EXPECT_EQ(all.at("alpha"), 0.5);
  EXPECT_EQ(all.at("K"), 512) << "follows N";
  EXPECT_EQ(all.at("PAD_A"), 0);
}

TEST(Assignments, MistakesAreNamed) {
  const struct {
    Arguments words;
    const char* phrase;
  } rows[] = {
      {{"TILE"}, "\"TILE\" sets no parameter; write name=value"},
      {{"=8"}, "sets no parameter"},
      {{"TILE="}, "sets no parameter"},
      {{"TILE=big"}, "\"big\" is no number for TILE"},
      {{"TILE=8x"}, "\"8x\" is no number"},
      {{"N=nan"}, "\"nan\" is no number for N"},
      {{"N=-inf"}, "\"-inf\" is no number for N"},
      {{"TILE=16", "N=512", "TILE=32"}, "TILE is set twice"},
      {{"TIEL=8"}, "did you mean TILE?"},
      {{"STAGES=2"}, "Known are: TILE, PAD_A, PAD_B, N, M, K, EXTRA, alpha, beta"},
      {{"TILE=5"}, "sgemm_tiled cannot run with TILE=5"},
      {{"N=0"}, "sgemm_tiled cannot run with N=0"},
  };
  for (const auto& row : rows) {
    try {
      configuration(sgemm(), row.words);
      ADD_FAILURE() << row.words.front() << " was accepted";
    } catch (const UsageError& error) {
      EXPECT_THAT(error.what(), HasSubstr(row.phrase));
    }
  }
}

TEST(Assignments, SweepIsEveryCombinationTheLastNameFastest) {
  EXPECT_EQ(tiles(legal_combinations(sgemm(), {"TILE=8,16", "PAD_A=0..2"})), "8/0 8/1 8/2 16/0 16/1 16/2");
  EXPECT_EQ(tiles(legal_combinations(sgemm(), {"TILE=5..20"})), "8/0 16/0")
      << "offered values within the range";
  EXPECT_EQ(tiles(legal_combinations(sgemm(), {"TILE=4..8,32"})), "4/0 8/0 32/0");
}

TEST(Assignments, SweepSkipsIllegalCombinationsAndSaysWhy) {
  const LegalCombinations plan = legal_combinations(naive(), {"BLOCK_X=64..256", "BLOCK_Y=8,32"});
  EXPECT_EQ(plan.configurations.size(), 2u);
  EXPECT_EQ(plan.skipped_total(), 4);
  EXPECT_THAT(plan.skipped, ElementsAre(::testing::Pair("A block has at most 1,024 threads.", 4)));
}

TEST(Assignments, SweepWithoutAnOfferedValueIsAMistake) {
  EXPECT_THROW(legal_combinations(sgemm(), {"TILE=100..200"}), UsageError);
  EXPECT_THROW(legal_combinations(sgemm(), {"TILE=8,,16"}), UsageError);
  EXPECT_THROW(legal_combinations(sgemm(), {"TILE=8,"}), UsageError);
  EXPECT_THROW(legal_combinations(sgemm(), {"TILE=8", "TILE=16"}), UsageError);
  std::string thousand = "8";
  for (int i = 1; i < 1000; ++i) {
    thousand += ",8";
  }
  EXPECT_THAT(
      [&] {
        legal_combinations(sgemm(), {"TILE=" + thousand, "PAD_A=" + thousand, "PAD_B=" + thousand});
      },
      testing::ThrowsMessage<UsageError>(testing::StartsWith("1,000,000,000 combinations are more than")));
}

}  // namespace
}  // namespace rooftile::cli
