#include "app/cli/tables/report_page.hpp"

#include <gmock/gmock.h>

namespace rooftile::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

Roofs page_roofs() {
  Roofs all;
  all.gpu = "Test GPU";
  all.memory = {{MemoryLevel::dram, {4e12}, Origin::measured, ""},
                {MemoryLevel::shared, {30e12}, Origin::spec, ""}};
  all.compute = {{fp32_pipe, {60e12}, Origin::measured, ""},
                 {bf16_tensor_pipe, {900e12}, Origin::measured, ""}};
  return all;
}

// A counted point of so many FLOPs and DRAM bytes in a millisecond.
LaunchReport counted(const std::string& kernel, double flops, double dram_bytes) {
  Point point;
  point.kernel = kernel;
  point.verification = Verification{true, 0, 1, ""};
  point.timing = Timing{{1e-3}, {1e-3}, {1e-3}, 7};
  point.counters = Counters{};
  point.counters->ffma = flops / 2;
  point.counters->dram_read = Bytes{dram_bytes};
  point.counters->dram_write = Bytes{0};
  const Roofs all = page_roofs();
  return launch_report(point, nullptr, &all);
}

LaunchReport on_tensor_cores(const std::string& kernel, double flops) {
  LaunchReport found = counted(kernel, 0, 1e8);
  found.point.modelled.pipe = bf16_tensor_pipe;
  found.point.counters->tensor = Flops{flops};
  const Roofs all = page_roofs();
  return launch_report(found.point, nullptr, &all);
}

std::string drawing(const std::vector<LaunchReport>& points) {
  return report_page({"Test GPU", "made up", page_roofs(), points, points}).str();
}

TEST(ReportPage, NamesRoofsAndPointsWithTheirFigures) {
  const std::string svg = drawing({counted("sgemm & <co>", 9e9, 1e8)});
  for (const char* words :
       {"Test GPU", "DRAM  4.00 TB/s, measured", "shared memory  30.0 TB/s, spec", "60.0 TFLOP/s, measured",
        "ridge 15.0 FLOP/B", "sgemm &amp; &lt;co&gt;  9.00 TFLOP/s"}) {
    EXPECT_THAT(svg, HasSubstr(words));
  }
}

TEST(ReportPage, ATensorCorePointBringsTheRoofOfItsPipe) {
  EXPECT_THAT(drawing({counted("sgemm", 9e9, 1e8)}), Not(HasSubstr("BF16 tensor")));
  const std::string svg = drawing({counted("sgemm", 9e9, 1e8), on_tensor_cores("gemm_bf16", 700e9)});
  EXPECT_THAT(svg, HasSubstr("BF16 tensor  900 TFLOP/s"));
  EXPECT_THAT(svg, HasSubstr("FP32 FMA  60.0 TFLOP/s"));
}

TEST(ReportPage, RingsWhatLiesAboveItsRoof) {
  EXPECT_THAT(drawing({counted("sgemm", 9e9, 1e8)}), Not(HasSubstr("Share of the DRAM roof")));
  EXPECT_THAT(drawing({counted("sgemm", 9e9, 5e9)}), HasSubstr("Share of the DRAM roof 125 %"));
}

TEST(ReportPage, KernelsWithoutFlopsHaveAChartOfTheirOwn) {
  const std::string svg = drawing({counted("transpose", 0, 2e9)});
  EXPECT_THAT(svg, HasSubstr("Kernels without FLOPs"));
  EXPECT_THAT(svg, HasSubstr(">transpose<"));
  EXPECT_THAT(svg, HasSubstr("2.00 TB/s    50 %"));
  EXPECT_THAT(drawing({counted("sgemm", 9e9, 1e8)}), Not(HasSubstr("Kernels without FLOPs")));
}

TEST(ReportPage, WithoutARoofSaysSo) {
  EXPECT_THAT(report_page({"Test GPU", "made up", {}, {}, {}}).str(),
              HasSubstr("No roof of this GPU is known"));
}

}  // namespace
}  // namespace rooftile::cli
