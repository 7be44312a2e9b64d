#include "analysis/roofline/roof_table.hpp"

#include <gmock/gmock.h>

#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

using testing::ElementsAre;

Roofs some_roofs() {
  Roofs roofs{"Test GPU", {}, {}};
  roofs.compute = {{bf16_tensor_pipe, {895e12}, Origin::measured, "chains of wgmma", FlopsPerSecond{862e12}},
                   {int32_pipe, {33e12}, Origin::measured, "chains of multiply-adds"}};
  roofs.memory = {{MemoryLevel::shared, {32.7e12}, Origin::measured, "16 bytes per lane"},
                  {MemoryLevel::dram, {4.8e12}, Origin::datasheet, "quoted: a page"},
                  {MemoryLevel::dram, {4.38e12}, Origin::measured, "reading 2 GiB"}};
  return roofs;
}

TEST(RoofTable, HasARowForWhatIsKnownAndADashForWhatIsNot) {
  std::vector<std::string> lines;
  for (const RoofRow& row : roof_table(some_roofs())) {
    lines.push_back(row.name + " | " + row.measured + " | " + row.sustained + " | " + row.spec + " | " +
                    row.datasheet);
  }
  const std::string none = unknown_text;
  EXPECT_THAT(lines, ElementsAre("DRAM | 4.38 TB/s |  | " + none + " | 4.80 TB/s",
                                 "shared memory | 32.7 TB/s |  | " + none + " | " + none,
                                 "INT32 MAD | 33.0 TOP/s |  | " + none + " | " + none,
                                 "BF16 tensor | 895 TFLOP/s | 862 TFLOP/s | " + none + " | " + none));
}

TEST(RoofTable, SaysWhereEachFigureComesFrom) {
  EXPECT_THAT(roof_table(some_roofs()).front().sources,
              ElementsAre("measured 4.38 TB/s: reading 2 GiB", "datasheet 4.80 TB/s: quoted: a page"));
}

TEST(RoofTable, IsEmptyWithoutRoofs) {
  EXPECT_TRUE(roof_table({}).empty());
}

}  // namespace
}  // namespace rooftile
