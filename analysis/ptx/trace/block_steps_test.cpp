// The steps of a block: a tile of two inputs that moves on, and one output.
#include "analysis/ptx/trace/block_steps.hpp"

#include <gmock/gmock.h>

#include <set>

#include "analysis/ptx/work/test_kernel.hpp"

namespace rooftile::ptx {
namespace {

// A warp adds up tiles of 8 rows and 4 columns, `number` of them side by side; rows are 64 floats apart.
constexpr const char* row_of_tiles = R"(
	mov.u32 	%r10, 0;
	shr.u32 	%r11, %r5, 2;
	and.b32 	%r12, %r5, 3;
	mad.lo.s32 	%r13, %r11, 64, %r12;
	mul.wide.s32 	%rd3, %r13, 4;
	add.s64 	%rd4, %rd1, %rd3;
	add.s64 	%rd5, %rd2, %rd3;
$again:
	.loc	1 10 3
	ld.global.f32 	%f1, [%rd4];
	fma.rn.f32 	%f3, %f1, %f1, %f3;
	add.s64 	%rd4, %rd4, 16;
	add.s32 	%r10, %r10, 1;
	setp.lt.s32 	%p1, %r10, %r1;
	@%p1 bra 	$again;
	.loc	1 12 3
	st.global.f32 	[%rd5], %f3;
	ret;)";

BlockTrace trace_of(int steps) {
  return block_trace(parse_ptx(kernel_text(row_of_tiles)), launch_with({1}, {32}, 64 * 8, steps));
}

TEST(BlockSteps, EachTripOfTheLoopIsAStep) {
  const BlockTrace trace = trace_of(5);
  const BlockSteps steps(trace);
  EXPECT_EQ(steps.count(), 5u);
  for (std::size_t step = 0; step < 5; ++step) {
    const auto trips = static_cast<double>(step + 1);
    EXPECT_EQ(steps.loaded(step), trips * 8 * 32) << "a sector of each of 8 rows";
    EXPECT_EQ(steps.flops(step), trips * 32 * 2);
  }
}

TEST(BlockSteps, RowsAreFoundByTheirDistance) {
  const BlockTrace trace = trace_of(5);
  const BlockSteps steps(trace);
  ASSERT_EQ(steps.tiles().size(), 2u);
  const BufferTile &in = steps.tiles()[0], &out = steps.tiles()[1];
  EXPECT_EQ(in.pitch, 64);
  EXPECT_EQ(in.rows, 8);
  EXPECT_EQ(in.columns, 20);
  EXPECT_TRUE(in.loads && !in.stores);
  EXPECT_EQ(out.pitch, 64);
  EXPECT_EQ(out.columns, 4);
  EXPECT_TRUE(out.stores && !out.loads);
}

TEST(BlockSteps, AStepTouchesItsTileAlone) {
  const BlockTrace trace = trace_of(5);
  const BlockSteps steps(trace);
  std::set<std::int64_t> columns;
  steps.for_touches(0, 2, [&](std::uint32_t step, int, const ElementRun& run) {
    if (step == 2) {
      columns.insert(run.first % 64);
    }
  });
  EXPECT_THAT(columns, testing::ElementsAre(8, 9, 10, 11));
}

}  // namespace
}  // namespace rooftile::ptx
