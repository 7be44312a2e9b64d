// Barriers left out, and kernels that lack none.
#include "analysis/ptx/work/races.hpp"

#include <gmock/gmock.h>

#include "analysis/ptx/work/test_kernel.hpp"

namespace rooftile::ptx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> races(const std::string& body, int threads = 64) {
  return races_of(parse_ptx(kernel_text(body)), launch_with({3}, {threads}, 1024, 4),
                  {.warp_instructions = 100'000});
}

// Steps of a tiled kernel: each thread stores a word, and reads that of the thread `apart` further on.
std::string step(const std::string& first_barrier, const std::string& second_barrier, int apart) {
  return fmt::format(R"(
	.shared .align 4 .b8 tile[1024];
	mov.u32 	%r10, 0;
	shl.b32 	%r11, %r5, 2;
	mov.u32 	%r12, tile;
	add.s32 	%r13, %r12, %r11;
	xor.b32 	%r14, %r5, {};
	shl.b32 	%r15, %r14, 2;
	add.s32 	%r16, %r12, %r15;
$again:
	.loc	1 30 3
	st.shared.f32 	[%r13], %f1;
	{}
	.loc	1 33 3
	ld.shared.f32 	%f2, [%r16];
	{}
	add.s32 	%r10, %r10, 1;
	setp.lt.s32 	%p1, %r10, %r1;
	@%p1 bra 	$again;
	ret;)",
                     apart, first_barrier, second_barrier);
}

const std::string barrier = "bar.sync 	0;";

TEST(Races, ABarrierThatIsLeftOutIsFoundWithBothPlaces) {
  EXPECT_THAT(races(step(barrier, barrier, 32)), IsEmpty());
  EXPECT_THAT(races(step("", barrier, 32)),
              ElementsAre(HasSubstr("reads a word of shared memory that nobody has written"),
                          HasSubstr("\"ld.shared.f32\" in kernel.cu:33 (lane 0 of warp 0) and "
                                    "\"st.shared.f32\" in kernel.cu:30 (lane 0 of warp 1)")));
  EXPECT_THAT(
      races(step(barrier, "", 32)),
      ElementsAre(
          "\"st.shared.f32\" in kernel.cu:30 (lane 0 of warp 0) and \"ld.shared.f32\" in kernel.cu:33 (lane 0 "
          "of "
          "warp 1) touch one word of shared memory, at least one writes it, and no barrier stands between."));
}

TEST(Races, WarpsThatKeepToThemselvesNeedNoBarrier) {
  EXPECT_THAT(races(step("", "", 1)), IsEmpty());
}

TEST(Races, AtomicsAmongThemselvesAreInOrder) {
  const std::string both = R"(
	.shared .align 4 .b8 sum[4];
	mov.u32 	%r10, sum;
	setp.ne.s32 	%p1, %r5, 0;
	@%p1 bra 	$set;
	st.shared.u32 	[%r10], 0;
$set:
	)";
  EXPECT_THAT(races(both + barrier + "red.shared.add.u32 [%r10], 1;\nret;"), IsEmpty());
  EXPECT_THAT(races(both + "red.shared.add.u32 [%r10], 1;\nret;"),
              ElementsAre(HasSubstr("\"red.shared.add.u32\"")));
}

TEST(Races, AReadOfWhatNobodyWroteIsFound) {
  EXPECT_THAT(races(".shared .align 4 .b8 tile[64];\nld.shared.f32 %f1, [tile+8];\nret;"),
              ElementsAre(HasSubstr("that nobody has written")));
}

}  // namespace
}  // namespace rooftile::ptx
