// Things that code of others does and ours does not: wmma, arrays of a thread's own, waiting for other blocks.
#include <gmock/gmock.h>

#include "analysis/chip/pipe.hpp"
#include "analysis/ptx/work/races.hpp"
#include "analysis/ptx/work/test_kernel.hpp"
#include "analysis/text/error.hpp"

namespace rooftile::ptx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// One warp loads a square of `type` from in, and stores one of floats to out.
std::string squares(const std::string& shape, const std::string& type, const std::string& layout, int stride) {
  return fmt::format(R"(
	mov.u32 	%r10, {3};
	mov.u32 	%r11, 16;
	wmma.load.a.sync.aligned.{2}.{0}.global.{1} 	{{%r20, %r21, %r22, %r23}}, [%rd1], %r10;
	wmma.mma.sync.aligned.row.col.{0}.f32.f32 {{%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8}}, {{%r20, %r21, %r22, %r23}}, {{%r20, %r21, %r22, %r23}}, {{%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8}};
	wmma.store.d.sync.aligned.row.{0}.global.f32 	[%rd2], {{%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8}}, %r11;
	ret;)",
                     shape, type, layout, stride);
}

TEST(StrangersCode, AWmmaMovesTheSectorsOfItsSquare) {
  const struct {
    const char *what, *layout;
    int stride;
    double sectors, requests;
  } rows[] = {{"rows beside each other", "row", 16, 16 * 16 * 2 / 32 * 2, 4},
              {"rows of a matrix: half a sector in each request", "row", 1024, 4 * 8, 4},
              {"columns of a matrix", "col", 1024, 4 * 8, 4}};
  for (const auto& row : rows) {
    const KernelWork work =
        work_of_body(squares("m16n16k16", "f16", row.layout, row.stride), launch_with({1}, {32}, 16384, 1));
    const double stored = 16 * 16 * 4 / 32;
    EXPECT_EQ(work.global_sectors, row.sectors + stored) << row.what;
    EXPECT_EQ(work.global_requests, row.requests + 4) << row.what;
    EXPECT_EQ(work.flops(fp16_tensor_pipe), Flops{2 * 16 * 16 * 16}) << "of the product alone";
    EXPECT_THAT(work.findings, IsEmpty()) << row.what;
  }
}

// With 8 half sectors a request for a and b alike, a launch had 1.33 times the L1 bytes that an H200 counted:
// as if rows of b were 4 whole sectors.
TEST(StrangersCode, NumbersOfFourBytesAcrossTheLanesRowsAreMovedOneByOne) {
  for (const auto& [matrix, sectors] : {std::pair("a", 8), std::pair("b", 4)}) {
    const std::string body = fmt::format(R"(
	mov.u32 	%r10, 1024;
	wmma.load.{}.sync.aligned.row.m16n16k8.global.tf32 	{{%r20, %r21, %r22, %r23}}, [%rd1], %r10;
	ret;)",
                                         matrix);
    const KernelWork work = work_of_body(body, launch_with({1}, {32}, 16384, 1));
    EXPECT_EQ(work.global_requests, 4) << matrix;
    EXPECT_EQ(work.global_sectors, 4 * sectors) << matrix;
  }
}

// Each thread writes its array at a place that it loaded, and reads it back.
std::string own_array(int apart) {
  return fmt::format(R"(
	.local .align 4 .b8 own[256];
	mov.u64 	%rd10, own;
	mul.lo.s32 	%r10, %r5, {};
	and.b32 	%r11, %r10, 63;
	mul.wide.u32 	%rd11, %r11, 4;
	add.s64 	%rd12, %rd10, %rd11;
	st.local.f32 	[%rd12], %f1;
	ld.local.f32 	%f2, [%rd12];
	ret;)",
                     apart);
}

TEST(StrangersCode, AnArrayOfEachThreadIsALineWhereAllLanesUseOneElement) {
  const KernelWork alike = work_of_body(own_array(0), launch_with({1}, {32}, 64, 1));
  EXPECT_EQ(alike.local_sectors, 2 * 4);
  EXPECT_THAT(alike.findings, ElementsAre(HasSubstr("256 bytes of local memory")));
  EXPECT_EQ(work_of_body(own_array(1), launch_with({1}, {32}, 64, 1)).local_sectors, 2 * 32);
}

// Waits until another block has set in[0].
std::string waits(const std::string& load) {
  return fmt::format(R"(
$again:
	{}.u32 	%r10, [%rd1];
	setp.eq.s32 	%p1, %r10, 0;
	@%p1 bra 	$again;
	st.global.f32 	[%rd2], %f1;
	ret;)",
                     load);
}

TEST(StrangersCode, WhatOthersWriteIsThereAtOnce) {
  ProgramLaunch launch = launch_with({4}, {32}, 64, 1);
  launch.buffers[0].element = [](std::uint64_t) { return std::uint64_t{0}; };
  for (const char* load : {"ld.volatile.global", "ld.acquire.gpu.global", "ld.relaxed.sys.global"}) {
    EXPECT_EQ(work_of_body(waits(load), launch).global_requests, 2 * 4) << load;
  }
  EXPECT_THROW(work_of_body(waits("ld.global"), launch), BudgetSpent) << "nobody need see another value";
}

// Pointers that are not said to be global may be any, but for the parameters that they are not made of.
TEST(StrangersCode, WhatIsWaitedForIsNotLookedForInWhatIsStored) {
  const char* body = R"(
	ld.param.u64 	%rd8, [kernel_param_1];
	cvta.to.global.u64 	%rd9, %rd8;
	wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f1, %f2, %f3, %f4}, %rd5, %rd6, 1, 1, 1, 0, 1;
	st.global.f32 	[%rd9], %f1;
$again:
	ld.acquire.gpu.global.u32 	%r10, [%rd1];
	setp.eq.s32 	%p1, %r10, 0;
	@%p1 bra 	$again;
	add.s32 	%r11, %r10, 1;
	setp.eq.s32 	%p2, %r11, 0;
	@%p2 bra 	$done;
	st.global.f32 	[%rd9+4], %f2;
$done:
	ret;)";
  EXPECT_EQ(work_of_body(body, launch_with({4}, {32}, 64, 1)).global_requests, 3 * 4);
}

TEST(StrangersCode, TheBarrierOfAGridIsPassed) {
  const char* body = R"(
	mov.u32 	%r10, %envreg1;
	mov.u32 	%r11, %envreg2;
	mov.b64 	%rd10, {%r10, %r11};
	setp.eq.s64 	%p1, %rd10, 0;
	@%p1 trap;
	bar.sync 	0;
	atom.add.release.gpu.u32 	%r12, [%rd10+4], 1;
$again:
	ld.acquire.gpu.u32 	%r13, [%rd10+4];
	xor.b32 	%r14, %r13, %r12;
	setp.gt.s32 	%p2, %r14, -1;
	@%p2 bra 	$again;
	bar.sync 	0;
	st.global.f32 	[%rd2], %f1;
	ret;)";
  const KernelWork work = work_of_body(body, launch_with({4}, {64}, 64, 1));
  EXPECT_THAT(work.findings, IsEmpty());
  EXPECT_GT(work.global_requests, 0);
}

// Blocks take numbers until there are none left.
TEST(StrangersCode, BlocksThatTakeWorkFromACounterDoAboutAsMuchEach) {
  const char* body = R"(
$again:
	atom.global.add.u32 	%r10, [%rd1], 1;
	setp.ge.s32 	%p1, %r10, %r1;
	@%p1 bra 	$done;
	st.global.f32 	[%rd2], %f1;
	bra 	$again;
$done:
	ret;)";
  ProgramLaunch launch = launch_with({16}, {1}, 64, 160);
  launch.buffers[0].element = [](std::uint64_t) { return std::uint64_t{0}; };
  const KernelWork work = work_of_body(body, launch);
  EXPECT_EQ(work.global_requests, 160 + 160 + 16);
  EXPECT_EQ(work.busiest_warp, 1);
}

// twice(x) is double(x) + 0, and double(x) is 2 x, or 0 at once for 0.
const std::string functions = R"(
.func (.param .b32 func_retval0) twice(.param .b32 twice_param_0);
.func (.param .b32 func_retval0) doubled(
	.param .b32 doubled_param_0
)
{
	.reg .pred 	%p<2>;
	.reg .b32 	%r<4>;
	ld.param.u32 	%r1, [doubled_param_0];
	mov.u32 	%r2, 0;
	setp.eq.s32 	%p1, %r1, 0;
	@%p1 bra 	$L__BB0_2;
	add.s32 	%r2, %r1, %r1;
$L__BB0_2:
	st.param.b32 	[func_retval0], %r2;
	ret;
}
.func (.param .b32 func_retval0) twice(.param .b32 twice_param_0)
{
	.reg .b32 	%r<4>;
	.reg .f32 	%f<2>;
	ld.param.u32 	%r1, [twice_param_0];
	{
	.param .b32 param0;
	st.param.b32 	[param0], %r1;
	.param .b32 retval0;
	call.uni (retval0), doubled, (param0);
	ld.param.b32 	%r2, [retval0];
	}
	fma.rn.f32 	%f1, %f1, %f1, %f1;
	st.param.b32 	[func_retval0], %r2;
	ret;
}
)";

std::string loads_at(const std::string& function) {
  return fmt::format(R"(
	{{
	.param .b32 param0;
	st.param.b32 	[param0], %r2;
	.param .b32 retval0;
	call.uni (retval0), {}, (param0);
	ld.param.b32 	%r10, [retval0];
	}}
	mul.wide.s32 	%rd10, %r10, 4;
	add.s64 	%rd11, %rd1, %rd10;
	ld.global.f32 	%f1, [%rd11];
	ret;)",
                     function);
}

TEST(StrangersCode, AFunctionThatIsCalledIsRun) {
  constexpr Budget small{.warp_instructions = 100'000};
  for (const auto& [function, flops] : {std::pair("doubled", 0), std::pair("twice", 2 * 64)}) {
    const Program program = parse_ptx(kernel_text(loads_at(function), functions));
    const KernelWork work = work_of(program, launch_with({2}, {32}, 128, 1), small);
    EXPECT_EQ(work.global_sectors, 2 * 8) << function << " gives every other word";
    EXPECT_EQ(work.flops(fp32_pipe), Flops{static_cast<double>(flops)}) << function;
    EXPECT_EQ(work.local_sectors, 0) << "what is handed over stays in registers";
    EXPECT_THAT(work.findings, IsEmpty()) << function;
  }
}

// Each of 40 functions calls the next one twice: a million million calls.
TEST(StrangersCode, CallsBeyondCountingAreRefused) {
  std::string many = ".func f40()\n{\nret;\n}\n";
  for (int i = 39; i >= 0; --i) {
    many += fmt::format(".func f{}()\n{{\ncall.uni f{};\ncall.uni f{};\nret;\n}}\n", i, i + 1, i + 1);
  }
  EXPECT_THAT([&] { parse_ptx(kernel_text("call.uni f0;\nret;", many)); },
              testing::ThrowsMessage<Error>(HasSubstr("expected fewer calls")));
}

TEST(StrangersCode, AFunctionThatCallsItselfIsNotFollowed) {
  std::string recursive = functions;
  recursive.replace(recursive.find("doubled, (param0)"), 7, "twice");
  const Program program = parse_ptx(kernel_text(loads_at("twice"), recursive));
  EXPECT_THROW(work_of(program, launch_with({2}, {32}, 128, 1)), Error);
}

TEST(StrangersCode, WhatMbarriersOrderIsNoRace) {
  const char* body = R"(
	.shared .align 8 .b8 words[1024];
	mov.u32 	%r10, words;
	shl.b32 	%r11, %r5, 2;
	add.s32 	%r12, %r10, %r11;
	st.shared.f32 	[%r12+8], %f1;
	mbarrier.arrive.shared.b64 	%rd10, [%r10];
$again:
	mbarrier.try_wait.shared.b64 	%p1, [%r10], %rd10;
	@!%p1 bra 	$again;
	ld.shared.f32 	%f2, [%r10+8];
	ret;)";
  EXPECT_THAT(races_of(parse_ptx(kernel_text(body)), launch_with({3}, {64}, 64, 1)), IsEmpty());
}

}  // namespace
}  // namespace rooftile::ptx
