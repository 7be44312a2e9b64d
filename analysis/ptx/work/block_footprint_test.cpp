#include "analysis/ptx/work/block_footprint.hpp"

#include <gmock/gmock.h>

#include "analysis/ptx/work/test_kernel.hpp"

namespace rooftile::ptx {
namespace {

using testing::ElementsAre;

// Three blocks read one row of 1,024 floats. Of the last group there may be one block or two.
TEST(BlockFootprint, GroupsOfBlocksAreFoundWhateverIsLeftOver) {
  constexpr const char* row_of_three = R"(
	div.u32 	%r10, %r3, 3;
	mad.lo.s32 	%r11, %r10, 1024, %r5;
	mul.wide.s32 	%rd3, %r11, 4;
	add.s64 	%rd4, %rd1, %rd3;
	ld.global.f32 	%f1, [%rd4];
	ret;)";
  for (const int blocks : {9, 10, 11, 100}) {
    const Program program = parse_ptx(kernel_text(row_of_three));
    const BlockFootprint found =
        block_footprint(program, launch_with({blocks}, {256}, 1 << 20, 0), {blocks / 2, 0, 0}, 1);
    EXPECT_THAT(found.units, ElementsAre(1, 3)) << blocks;
    ASSERT_EQ(found.footprints.size(), 1U) << blocks;
    EXPECT_THAT(found.footprints[0].steps, ElementsAre(0, 4096)) << blocks;
  }
}

}  // namespace
}  // namespace rooftile::ptx
