#include "app/cli/tables/dial_positions.hpp"

#include <gtest/gtest.h>

#include <set>

#include "analysis/manifest/catalogue.hpp"
#include "analysis/platform/catalogue_files.hpp"

namespace rooftile::cli {
namespace {

const Manifest& kernel(const std::string& name) {
  static const Catalogue all = platform::load_catalogue_with({});
  return find_kernel(all, name);
}

std::set<Parameters> distinct(const std::vector<Configuration>& positions) {
  std::set<Parameters> all;
  for (const Configuration& position : positions) {
    all.insert(position.parameters);
  }
  return all;
}

TEST(DialPositions, AreAllLegalCombinationsEachOnce) {
  const struct {
    const char* name;
    Parameters sizes;
    std::size_t positions;
  } rows[] = {
      {"sgemm_tiled", {{"N", 1024}}, 4 * 9 * 9},
      {"sgemm_tiled", {{"N", 1024}, {"TILE", 32}}, 9 * 9},
      {"sgemm_tiled", {{"N", 1024}, {"PAD_A", 0}, {"PAD_B", 0}}, 4},
      {"cublas_sgemm", {{"N", 1024}}, 1},
  };
  for (const auto& row : rows) {
    const auto all = dial_positions(kernel(row.name), row.sizes, 100000);
    EXPECT_EQ(all.size(), row.positions) << row.name;
    EXPECT_EQ(distinct(all).size(), row.positions) << row.name;
  }
}

TEST(DialPositions, AreLegalColdAndAtTheGivenSizes) {
  for (const char* name : {"sgemm_naive", "sgemm_register_2d", "transpose_tiled", "histogram_cluster"}) {
    const Manifest& manifest = kernel(name);
    const auto all = dial_positions(manifest, {}, 200);
    EXPECT_FALSE(all.empty()) << name;
    for (const Configuration& each : all) {
      EXPECT_EQ(why_illegal(manifest, complete(manifest, each.parameters)), std::nullopt) << name;
      EXPECT_EQ(each.caches, Caches::cold);
      EXPECT_EQ(each.kernel, name);
    }
  }
  for (const Configuration& each : dial_positions(kernel("sgemm_tiled"), {{"N", 512}}, 20)) {
    EXPECT_EQ(each.parameters.at("N"), 512);
  }
}

TEST(DialPositions, AreAtMostSoManyAlwaysTheSameAndMixed) {
  const auto few = dial_positions(kernel("sgemm_tiled"), {{"N", 1024}}, 12);
  const auto again = dial_positions(kernel("sgemm_tiled"), {{"N", 1024}}, 12);
  ASSERT_EQ(few.size(), 12u);
  EXPECT_EQ(distinct(few), distinct(again));
  std::set<double> tiles;
  for (const Configuration& each : few) {
    tiles.insert(each.parameters.at("TILE"));
  }
  EXPECT_GT(tiles.size(), 2u) << "in order the first twelve share one tile";
  EXPECT_TRUE(dial_positions(kernel("sgemm_tiled"), {}, 0).empty());
}

}  // namespace
}  // namespace rooftile::cli
