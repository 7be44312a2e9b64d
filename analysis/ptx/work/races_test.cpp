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

TEST(Races, LanesOfAWarpNeedASyncwarpAndThoseOfABlockABarrier) {
  const std::string syncwarp = "bar.warp.sync -1;";
  EXPECT_THAT(races(step(syncwarp, syncwarp, 1)), IsEmpty());
  EXPECT_THAT(races(step("", "", 0)), IsEmpty());  // each lane reads what it wrote
  EXPECT_THAT(
      races(step("", syncwarp, 1)),
      ElementsAre("\"st.shared.f32\" in kernel.cu:30 (lane 1 of warp 0) and \"ld.shared.f32\" in "
                  "kernel.cu:33 (lane 0 of warp 0) touch one word of shared memory, at least one writes "
                  "it, and no __syncwarp() stands between."));
  EXPECT_THAT(races(step(syncwarp, "", 1)), ElementsAre(HasSubstr("no __syncwarp() stands between")));
  EXPECT_THAT(races(step(syncwarp, syncwarp, 32)), testing::Contains(HasSubstr("no barrier stands between")));
}

// Every lane reads one word, and the first one then writes it.
TEST(Races, ALaneThatWritesWhatAllReadIsFound) {
  const std::string read_by_all = R"(
	.shared .align 4 .b8 last[4];
	setp.ne.s32 	%p1, %r5, 0;
	@!%p1 st.shared.u32 	[last], 0;
	bar.sync 0;
	ld.shared.u32 	%r11, [last];
	)";
  const std::string write = "@!%p1 st.shared.u32 [last], 1;\nret;";
  EXPECT_THAT(races(read_by_all + write, 32), ElementsAre(HasSubstr("(lane 1 of warp 0)")));
  EXPECT_THAT(races(read_by_all + "bar.warp.sync -1;\n" + write, 32), IsEmpty());
}

TEST(Races, BytesOfAWordAreApart) {
  const std::string own_byte = R"(
	.shared .align 4 .b8 tile[64];
	mov.u32 	%r10, tile;
	add.s32 	%r11, %r10, %r5;
	st.shared.u8 	[%r11], %r1;
	ld.shared.u8 	%r12, [%r11];
	ret;)";
  EXPECT_THAT(races(own_byte), IsEmpty());
}

// Lanes copy 4 bytes each, two groups of them, and read the word of the lane `apart` further on.
std::string copies(const std::string& wait, int apart) {
  return fmt::format(R"(
	.shared .align 16 .b8 tile[512];
	mov.u32 	%r10, tile;
	shl.b32 	%r11, %r5, 2;
	add.s32 	%r12, %r10, %r11;
	cp.async.ca.shared.global 	[%r12], [%rd1], 4;
	cp.async.commit_group;
	add.s32 	%r13, %r12, 256;
	cp.async.ca.shared.global 	[%r13], [%rd1], 4;
	cp.async.commit_group;
	{}
	xor.b32 	%r14, %r11, {};
	add.s32 	%r15, %r10, %r14;
	ld.shared.f32 	%f1, [%r15];
	ret;)",
                     wait, 4 * apart);
}

TEST(Races, ACopyThatIsReadBeforeItHasEndedIsFound) {
  EXPECT_THAT(races(copies("cp.async.wait_group 1;\nbar.sync 0;", 32)), IsEmpty());
  EXPECT_THAT(races(copies("cp.async.wait_all;", 0)), IsEmpty());
  EXPECT_THAT(races(copies("cp.async.wait_group 2;", 0)), ElementsAre(HasSubstr("nothing waits for it")));
  EXPECT_THAT(races(copies("cp.async.wait_group 2147483648;", 0)), IsEmpty()) << "-2147483648, so all of them";
  EXPECT_THAT(races(copies("bar.sync 0;", 32)), ElementsAre(HasSubstr("may still be copying")));
  EXPECT_THAT(races(copies("cp.async.wait_group 1;", 32)),
              testing::Contains(HasSubstr("no barrier stands between")));
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
