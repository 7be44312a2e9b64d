#include "analysis/text/edit_distance.hpp"

#include <gtest/gtest.h>

namespace rooftile {
namespace {

TEST(EditDistance, CountsSlipsOfTheFingers) {
  const struct {
    const char *a, *b;
    int distance;
  } rows[] = {
      {"TILE", "TILE", 0},  {"tile", "TILE", 0}, {"TIEL", "TILE", 1}, {"TLE", "TILE", 1},
      {"TILES", "TILE", 1}, {"TOLE", "TILE", 1}, {"", "TILE", 4},     {"abc", "xyz", 3},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(edit_distance(row.a, row.b), row.distance) << row.a << " " << row.b;
    EXPECT_EQ(edit_distance(row.b, row.a), row.distance) << row.b << " " << row.a;
  }
}

TEST(Nearest, IsTheOneThatWasMeantOrNone) {
  const std::vector<std::string_view> kernels = {"sgemm_naive", "sgemm_tiled", "transpose_tiled"};
  const struct {
    const char* typed;
    std::optional<std::string_view> meant;
  } rows[] = {
      {"sgem_tiled", "sgemm_tiled"},
      {"SGEMM_TILDE", "sgemm_tiled"},
      {"histogram", {}},
      {"", {}},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(nearest(row.typed, kernels), row.meant) << row.typed;
  }
  EXPECT_EQ(nearest("anything", {}), std::nullopt);
  EXPECT_EQ(nearest(std::string(100 << 20, 'x'), kernels), std::nullopt) << "and at once";
}

}  // namespace
}  // namespace rooftile
