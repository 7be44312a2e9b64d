#include "app/cli/bench/speed/speed_table.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace rooftile::cli {
namespace {

Point launch(const std::string& kernel, double milliseconds, Parameters parameters = {}) {
  Point point;
  point.kernel = kernel;
  point.parameters = std::move(parameters);
  const Seconds time{milliseconds * 1e-3};
  point.timing = Timing{time, time, time, 7};
  point.modelled.elements = 1e6;
  point.modelled.compulsory_dram = Bytes{2e9};
  return point;
}

// The cells of the only row, after its problem and size.
std::string cells(const SpeedRow& row) {
  const std::string table = speed_table({row}, BytesPerSecond{4e12}, "G");
  const std::string begin = "| p | N=8 | ";
  const std::size_t start = table.find(begin);
  return start == std::string::npos ? table : table.substr(start + begin.size());
}

SpeedRow row(const std::string& rival, const Duel& cold, const Duel& warm, const Parameters& dials = {}) {
  return {"p", rival, {{"N", 8}}, cold, warm, dials, {}};
}

TEST(SpeedTable, NamesTheGpuOnceAtTheTop) {
  EXPECT_EQ(speed_table({}, BytesPerSecond{4e12}, "Test GPU"),
            "| on Test GPU, cold caches | size | beside | best | its dials | ratio | warm |\n"
            "| --- | --: | --- | --- | --- | --: | --: |\n");
}

TEST(SpeedTable, ARatioSaysHowManyTimesAsFastAsTheRival) {
  const Duel cold{launch("copy", 3), launch("mine", 2)}, warm{launch("copy", 1), launch("mine", 2)};
  EXPECT_EQ(cells(row("copy", cold, warm, {{"TILE", 32}})),
            "`copy` 667 GB/s | `mine` 1.00 TB/s | TILE=32 | 1.50x | 0.50x |\n");
}

TEST(SpeedTable, ARateIsTheMathematicsOfAProductAndElseTheBytesThatMustMove) {
  const Point product = launch("gemm", 2, {{"K", 500}});
  EXPECT_EQ(cells(row("gemm", {product, product}, {})),
            "`gemm` 500 GFLOP/s | `gemm` 500 GFLOP/s | – | 1.00x | – |\n");
}

TEST(SpeedTable, WithoutARivalTheDramPeakIsTheMeasure) {
  EXPECT_EQ(cells(row("", {{}, launch("copy", 1)}, {{}, launch("copy", 2)})),
            "DRAM peak 4.00 TB/s | `copy` 2.00 TB/s | – | 50 % | 25 % |\n");
}

TEST(SpeedTable, ARivalThatDidNotRunIsADashAndNotTheDramPeak) {
  EXPECT_EQ(cells(row("cublas_sgemm", {{}, launch("mine", 1)}, {{}, launch("mine", 1)})),
            "– | `mine` 2.00 TB/s | – | – | – |\n");
}

TEST(SpeedTable, AContenderThatDidNotRunIsADash) {
  EXPECT_EQ(cells(row("copy", {launch("copy", 1), {}}, {})), "`copy` 2.00 TB/s | – | – | – | – |\n");
}

TEST(SpeedTable, DrawnSizesHaveTheirMedianAndTheirLeastBelow) {
  std::vector<SpeedRow> rows;
  for (const double time : {1.0, 4.0, 2.0}) {
    rows.push_back(row("copy", {launch("copy", 2), launch("mine", time)}, {}));
    rows.back().size = {{"N", time}};
    rows.back().seed = 7;
  }
  rows.push_back(row("copy", {launch("copy", 1), launch("mine", 100)}, {}));  // at a named size
  EXPECT_THAT(speed_table(rows, {}, "G"),
              testing::EndsWith("\np at 3 sizes drawn with seed 7: median 1.00x, least 0.50x at N=4.\n"));
}

TEST(SpeedTable, JsonHoldsBothDuelsInSeconds) {
  const auto all = json_of(row("copy", {launch("copy", 3), launch("mine", 2, {{"TILE", 8}})}, {}));
  EXPECT_EQ(all.at("problem"), "p");
  EXPECT_EQ(all.at("size").at("N"), 8);
  EXPECT_EQ(all.at("cold").at("rival").at("kernel"), "copy");
  EXPECT_EQ(all.at("cold").at("best").at("median_s"), 2e-3);
  EXPECT_EQ(all.at("cold").at("best").at("parameters").at("TILE"), 8);
  EXPECT_TRUE(all.at("warm").at("best").is_null());
  EXPECT_TRUE(all.at("seed").is_null());
}

}  // namespace
}  // namespace rooftile::cli
