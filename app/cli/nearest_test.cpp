#include "app/cli/nearest.hpp"

#include <gtest/gtest.h>

#include "analysis/edit_distance.hpp"

namespace rooftile::cli {
namespace {

TEST(Nearest, DistanceCountsSlipsOfTheFingers) {
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

TEST(Nearest, NamesTheOneThatWasMeantOrNone) {
  const std::vector<std::string> kernels = {"sgemm_naive", "sgemm_tiled", "transpose_tiled"};
  EXPECT_EQ(nearest("sgem_tiled", kernels), "sgemm_tiled");
  EXPECT_EQ(nearest("histogram", kernels), std::nullopt);
  EXPECT_EQ(nearest("anything", {}), std::nullopt);
}

TEST(Nearest, SentenceListsWhatIsKnown) {
  EXPECT_EQ(no_such("kernel", "sgem", {"sgemm", "scan"}),
            "There is no kernel \"sgem\"; did you mean sgemm? Known are: sgemm, scan.");
  EXPECT_EQ(no_such("kernel", "fft", {"sgemm"}), "There is no kernel \"fft\". Known are: sgemm.");
}

}  // namespace
}  // namespace rooftile::cli
