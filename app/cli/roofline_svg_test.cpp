#include "app/cli/roofline_svg.hpp"

#include <gmock/gmock.h>

namespace rooftile::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Roofs roofs() {
  Roofs all;
  all.gpu = "Test GPU";
  all.memory = {{MemoryLevel::dram, {4e12}, Origin::measured, ""},
                {MemoryLevel::shared, {30e12}, Origin::spec, ""}};
  all.compute = {{fp32_pipe, {60e12}, Origin::measured, ""}};
  return all;
}

// A counted point of so many FLOPs and DRAM bytes in a millisecond.
Findings counted(const std::string& kernel, double flops, double dram_bytes) {
  Point point;
  point.kernel = kernel;
  point.verification = Verification{true, 0, 1, ""};
  point.timing = Timing{{1e-3}, {1e-3}, {1e-3}, 7};
  point.counters = Counters{};
  point.counters->ffma = flops / 2;
  point.counters->dram_read = Bytes{dram_bytes};
  point.counters->dram_write = Bytes{0};
  const Roofs all = roofs();
  return findings(point, nullptr, &all);
}

std::string drawing(const std::vector<Findings>& points) {
  return roofline_svg({"Test GPU", "made up", roofs(), points, points}).str();
}

TEST(RooflineSvg, NamesRoofsAndPointsWithTheirFigures) {
  const std::string svg = drawing({counted("sgemm & <co>", 9e9, 1e8)});
  for (const char* words : {"Test GPU", "DRAM  4.00 TB/s", "shared memory  30.0 TB/s", "60.0 TFLOP/s, measured",
                            "ridge 15.0 FLOP/B", "sgemm &amp; &lt;co&gt;  9.00 TFLOP/s"}) {
    EXPECT_THAT(svg, HasSubstr(words));
  }
}

TEST(RooflineSvg, RingsWhatLiesAboveItsRoof) {
  EXPECT_THAT(drawing({counted("sgemm", 9e9, 1e8)}), Not(HasSubstr("above its roof")));
  EXPECT_THAT(drawing({counted("sgemm", 9e9, 5e9)}), HasSubstr("above its roof"));
}

TEST(RooflineSvg, KernelWithoutFlopsHasBarsAndNoDot) {
  const std::string svg = drawing({counted("transpose", 0, 2e9)});
  EXPECT_THAT(svg, HasSubstr("2.00 TB/s   50 %"));
  EXPECT_THAT(svg, Not(HasSubstr("<circle")));
}

TEST(RooflineSvg, WithoutARoofSaysSo) {
  EXPECT_THAT(roofline_svg({"Test GPU", "made up", {}, {}, {}}).str(), HasSubstr("no compute roof"));
}

}  // namespace
}  // namespace rooftile::cli
