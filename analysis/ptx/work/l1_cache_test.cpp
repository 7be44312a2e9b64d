// L1 misses of blocks that share an SM.
#include "analysis/ptx/work/l1_cache.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "analysis/chip/architecture.hpp"
#include "analysis/ptx/work/test_kernel.hpp"

namespace rooftile::ptx {
namespace {

// Each thread reads in[thread % wrap] n times.
std::string again_and_again(int wrap) {
  return fmt::format(R"(
	and.b32 	%r11, %r2, {};
	mul.wide.s32 	%rd3, %r11, 4;
	add.s64 	%rd4, %rd1, %rd3;
	mov.u32 	%r10, 0;
$again:
	ld.global.f32 	%f1, [%rd4];
	add.s32 	%r10, %r10, 1;
	setp.lt.s32 	%p1, %r10, %r1;
	@%p1 bra 	$again;
	ret;)",
                     wrap - 1);
}

double missed(const std::string& body, const ProgramLaunch& launch, const Residency& residency) {
  const Program program = parse_ptx(kernel_text(body));
  const auto all = l1_missed_by_access(program, launch, work_of(program, launch), residency).value();
  return std::accumulate(all.begin(), all.end(), 0.0);
}

TEST(L1Cache, WhatFitsIsMissedOnce) {
  const ProgramLaunch launch = launch_with({8}, {256}, 4096, 10);
  EXPECT_EQ(missed(again_and_again(4096), launch, {2, 4, 8192}), 8 * 256 * 4 / 32);
}

TEST(L1Cache, WhatIsUsedLongestAgoIsForgotten) {
  const ProgramLaunch launch = launch_with({8}, {256}, 4096, 10);
  EXPECT_EQ(missed(again_and_again(4096), launch, {2, 4, 1024}), 10 * 8 * 256 * 4 / 32);
}

TEST(L1Cache, BlocksOfOneSmShareTheirLines) {
  const ProgramLaunch launch = launch_with({8}, {256}, 4096, 10);
  EXPECT_EQ(missed(again_and_again(256), launch, {2, 4, 8192}), 8 * 256 * 4 / 32 / 2);
}

TEST(L1Cache, HasRoomWhereADriverTellsOfCarveoutsBeyondSharedMemory) {
  Gpu gpu;
  gpu.sm = *sm_limits({9, 0});
  gpu.sm_count = 1;
  gpu.sm.shared_bytes = 64 << 10;
  BlockResources block;
  block.threads = 1024;
  block.static_shared_bytes = 30 << 10;
  EXPECT_EQ(residency_of(block, {}, gpu)->l1_bytes, 28 << 10);
}

}  // namespace
}  // namespace rooftile::ptx
