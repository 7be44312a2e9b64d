// Steps of the accesses of a block, with their addresses.
#include "analysis/ptx/trace/block_trace.hpp"

#include <gmock/gmock.h>

#include "analysis/ptx/work/test_kernel.hpp"

namespace rooftile::ptx {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

// for (k = 0; k < number; ++k) { tile[k][x] = in[64 * k + x]; sum += tile[x][k]; } with rows of `stride`
// floats.
std::string column_walk(int stride) {
  return fmt::format(R"(
	.shared .align 4 .b8 tile[33000];
	mov.u32 	%r10, 0;
	mov.u32 	%r12, tile;
	shl.b32 	%r11, %r5, 2;
	mul.wide.s32 	%rd3, %r5, 4;
	add.s64 	%rd4, %rd1, %rd3;
	add.s32 	%r13, %r12, %r11;
	mul.lo.s32 	%r15, %r5, {0};
	add.s32 	%r16, %r12, %r15;
$again:
	.loc	1 10 3
	ld.global.f32 	%f1, [%rd4];
	st.shared.f32 	[%r13], %f1;
	bar.sync 	0;
	.loc	1 11 3
	ld.shared.f32 	%f2, [%r16];
	fma.rn.f32 	%f3, %f2, %f1, %f3;
	add.s64 	%rd4, %rd4, 256;
	add.s32 	%r13, %r13, {0};
	add.s32 	%r16, %r16, 4;
	add.s32 	%r10, %r10, 1;
	setp.lt.s32 	%p1, %r10, %r1;
	@%p1 bra 	$again;
	ret;)",
                     4 * stride);
}

BlockTrace trace_of(const std::string& body, int threads, int number) {
  return block_trace(parse_ptx(kernel_text(body)), launch_with({1}, {threads}, 4096, number));
}

int wavefronts(const BlockTrace& trace, const TracedAccess& access, int warp, std::size_t step) {
  return bank_pattern(trace.requests.addresses(trace.request(access, warp, step)), access.width_bytes,
                      access.store)
      .wavefronts;
}

TEST(BlockTrace, EveryWarpHasEveryStepOfEachAccess) {
  const BlockTrace trace = trace_of(column_walk(32), 64, 5);
  EXPECT_TRUE(trace.is_whole);
  EXPECT_EQ(trace.warps, 2);
  ASSERT_THAT(trace.accesses, SizeIs(3)) << "a load of global memory, a store and a load of shared memory";
  for (const TracedAccess& access : trace.accesses) {
    EXPECT_THAT(access.steps, ElementsAre(SizeIs(5), SizeIs(5)));
  }
  EXPECT_EQ(trace.requests.flops(), 2 * 64 * 5);
}

TEST(BlockTrace, AStepHasTheAddressesOfItsLanes) {
  const BlockTrace trace = trace_of(column_walk(32), 64, 5);
  const auto load = std::ranges::find(trace.accesses, false, &TracedAccess::shared);
  ASSERT_NE(load, trace.accesses.end());
  EXPECT_EQ(load->buffer, 0);
  for (const std::size_t step : {0, 1, 4}) {
    const LaneAddresses addresses = trace.requests.addresses(trace.request(*load, 1, step));
    EXPECT_EQ(addresses[3], buffer_address(0) + 256 * step + 4 * (32 + 3)) << step;
  }
}

TEST(BlockTrace, AColumnWithoutPaddingIsServedOneLaneAfterTheOther) {
  for (const auto& [stride, expected] : {std::pair(32, 32), {33, 1}, {34, 2}, {36, 4}}) {
    const BlockTrace trace = trace_of(column_walk(stride), 64, 3);
    const auto column = std::ranges::find_if(
        trace.accesses, [](const TracedAccess& access) { return access.shared && !access.store; });
    ASSERT_NE(column, trace.accesses.end());
    for (std::size_t step = 0; step < 3; ++step) {
      EXPECT_EQ(wavefronts(trace, *column, 0, step), expected) << stride;
    }
  }
}

// Each thread stores a word and reads that of the thread 32 further on, or back.
TEST(BlockTrace, WithoutABarrierEachWordWhereWarpsMeetIsKeptWithBothLanes) {
  const auto races = [](const char* barrier) {
    return trace_of(fmt::format(R"(
	.shared .align 4 .b8 tile[1024];
	shl.b32 	%r11, %r5, 2;
	mov.u32 	%r12, tile;
	add.s32 	%r13, %r12, %r11;
	xor.b32 	%r14, %r11, 128;
	add.s32 	%r16, %r12, %r14;
	.loc	1 30 3
	st.shared.f32 	[%r13], %f1;
	{}
	.loc	1 33 3
	ld.shared.f32 	%f2, [%r16];
	ret;)",
                                barrier),
                    64, 1)
        .races;
  };
  EXPECT_THAT(races("bar.sync 	0;"), SizeIs(0));
  const std::vector<TracedRace> found = races("");
  ASSERT_THAT(found, SizeIs(64)) << "warp 1 writes what warp 0 has read, and reads what it wrote";
  EXPECT_EQ(found[5].word, 32 + 5);
  EXPECT_EQ(found[5].earlier.warp, 0);
  EXPECT_EQ(found[5].later.warp, 1);
  EXPECT_EQ(found[5].later.lane, 5);
}

TEST(BlockTrace, ALoopWithoutEndIsCutOffForEachWarpAlike) {
  const BlockTrace trace = trace_of(column_walk(0), 64, 1'000'000);
  EXPECT_FALSE(trace.is_whole);
  EXPECT_EQ(trace.requests.requests.size(), 300'000u);
  EXPECT_EQ(trace.accesses[0].steps[0].size(), trace.accesses[0].steps[1].size());
}

TEST(BlockTrace, AnAccessIsNamedAfterItsLine) {
  const std::string text = kernel_text(column_walk(32));
  std::string source(9, '\n');
  source += "  tile[k][x] = in[64 * k + x];\n  sum += tile[x][k];\n";
  const StatedLaunch stated{{}, launch_with({1}, {64}, 4096, 3)};
  EXPECT_NE(block_trace({text, "kernel", source, std::nullopt}, stated)
                .find(true, "load, line 11: sum += tile[x][k];"),
            nullptr);
}

}  // namespace
}  // namespace rooftile::ptx
