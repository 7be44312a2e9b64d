// The work of small kernels, compared with figures worked out by hand.
#include "analysis/ptx/work/kernel_work.hpp"

#include <gmock/gmock.h>

#include "analysis/chip/pipe.hpp"
#include "analysis/ptx/work/test_kernel.hpp"
#include "analysis/text/error.hpp"

namespace rooftile::ptx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// out[i] = in[i * step], where i < n.
std::string copy_of_each(int step) {
  return fmt::format(R"(
	setp.ge.s32 	%p1, %r2, %r1;
	@%p1 bra 	$done;
	.loc	1 5 3
	mul.wide.s32 	%rd3, %r2, {};
	add.s64 	%rd4, %rd1, %rd3;
	ld.global.nc.f32 	%f1, [%rd4];
	.loc	1 6 3
	mul.wide.s32 	%rd5, %r2, 4;
	add.s64 	%rd6, %rd2, %rd5;
	add.f32 	%f2, %f1, %f1;
	st.global.f32 	[%rd6], %f2;
$done:
	ret;)",
                     4 * step);
}

TEST(KernelWork, ACopyMovesEachSectorOnce) {
  const KernelWork work = work_of_body(copy_of_each(1), launch_with({100}, {256}, 25600, 25600));
  EXPECT_EQ(work.global_requests, 2 * 100 * 8);
  EXPECT_EQ(work.global_sectors, 2 * 25600 * 4 / 32);
  EXPECT_EQ(work.fp32.add, 25600);
  EXPECT_EQ(work.flops(fp32_pipe), Flops{25600});
  EXPECT_EQ(work.blocks_run, 3);
  EXPECT_THAT(work.findings, IsEmpty());
}

TEST(KernelWork, TheLastBlockCountsOnlyThreadsThatAreInside) {
  const KernelWork work = work_of_body(copy_of_each(1), launch_with({100}, {256}, 25600, 25600 - 255));
  EXPECT_EQ(work.fp32.add, 25600 - 255);
  EXPECT_EQ(work.global_requests, 2 * (99 * 8 + 1));
  EXPECT_EQ(work.divergent_branches, 1);
}

TEST(KernelWork, FloatsFarApartTakeASectorEach) {
  const struct {
    int step;
    double sectors;  // of a load of a warp
  } rows[] = {{1, 4}, {2, 8}, {8, 32}, {16, 32}};
  for (const auto& row : rows) {
    const KernelWork work = work_of_body(copy_of_each(row.step), launch_with({1}, {32}, 1024, 32));
    EXPECT_EQ(work.global_sectors, row.sectors + 4) << row.step;
  }
}

TEST(KernelWork, LinesHaveTheWorkOfTheirInstructions) {
  const KernelWork work = work_of_body(copy_of_each(8), launch_with({1}, {32}, 1024, 32));
  ASSERT_EQ(work.lines.size(), 3u);
  EXPECT_EQ(work.lines[1].source, (SourceLine{1, 5}));
  EXPECT_EQ(work.lines[1].sectors, 32);
  EXPECT_EQ(work.lines[2].flops, 32);
  ASSERT_EQ(work.accesses.size(), 2u);
  EXPECT_EQ(work.accesses[0].name, "ld.global.nc.f32");
  EXPECT_EQ(work.accesses[0].counts.bytes, 128);
}

// A square of 32 x 32 in shared memory, written in rows of `pitch` floats, read in columns.
std::string turned(int pitch) {
  return fmt::format(R"(
	.shared .align 4 .b8 tile[8192];
	mov.u32 	%r10, tile;
	mov.u32 	%r11, %tid.y;
	mad.lo.s32 	%r12, %r11, {0}, %r5;
	shl.b32 	%r13, %r12, 2;
	add.s32 	%r14, %r10, %r13;
	st.shared.f32 	[%r14], %f1;
	bar.sync 	0;
	mad.lo.s32 	%r15, %r5, {0}, %r11;
	shl.b32 	%r16, %r15, 2;
	add.s32 	%r17, %r10, %r16;
	ld.shared.f32 	%f2, [%r17];
	ret;)",
                     pitch);
}

TEST(KernelWork, PaddingTellsTurnedTilesApart) {
  const KernelWork plain = work_of_body(turned(32), launch_with({4}, {32, 8}, 32, 0));
  const KernelWork padded = work_of_body(turned(33), launch_with({4}, {32, 8}, 32, 0));
  EXPECT_EQ(plain.shared_wavefronts, 4 * 8 * (1 + 32));
  EXPECT_EQ(padded.shared_wavefronts, 4 * 8 * (1 + 1));
  EXPECT_EQ(plain.ideal_wavefronts, 4 * 8 * 2);
  EXPECT_EQ(plain.barriers, 4 * 8);
}

// ptxas of CUDA 13.0 was seen to make as many instructions of them for sm_90: LDS.128, two LDS.64, four LDS,
// STS.128.
TEST(KernelWork, NeighbouringWordsOfSharedMemoryAreOneWhereTheyAreKnownToBeAligned) {
  const auto requests = [](const std::string& place, int offset) {
    const std::string body = fmt::format(R"(
	.shared .align 16 .b8 tile[8192];
	mov.u32 	%r10, tile;
	{};
	add.s32 	%r12, %r10, %r11;
	add.s32 	%r13, %r12, {};
	ld.shared.f32 	%f2, [%r13+4];
	ld.shared.f32 	%f1, [%r13];
	ld.shared.f32 	%f3, [%r13+8];
	ld.shared.f32 	%f4, [%r13+12];
	ret;)",
                                         place, offset);
    return work_of_body(body, launch_with({1}, {32}, 32, 0)).shared_requests;
  };
  EXPECT_EQ(requests("shl.b32 %r11, %r5, 4", 16), 1);
  EXPECT_EQ(requests("and.b32 %r11, %r5, 240", 0), 1);
  EXPECT_EQ(requests("shl.b32 %r11, %r5, 4", 8), 2);
  EXPECT_EQ(requests("mul.lo.s32 %r11, %r5, 24", 16), 2) << "although lane 0's are aligned";
  EXPECT_EQ(requests("mul.lo.s32 %r11, %r5, 20", 16), 4) << "although lane 0's are aligned";
  const auto stores = [](const std::string& between) {
    const std::string body = fmt::format(R"(
	.shared .align 16 .b8 tile[8192];
	mov.u32 	%r10, tile;
	shl.b32 	%r11, %r5, 4;
	add.s32 	%r12, %r10, %r11;
	st.shared.f32 	[%r12], %f1;
	st.shared.f32 	[%r12+4], %f1;
	{}
	st.shared.f32 	[%r12+8], %f1;
	st.shared.f32 	[%r12+12], %f1;
	ret;)",
                                         between);
    return work_of_body(body, launch_with({1}, {32}, 32, 0)).shared_requests;
  };
  EXPECT_EQ(stores(""), 1);
  EXPECT_EQ(stores("ld.shared.f32 	%f2, [%r12];"), 3) << "a pair, the load, a pair";
}

// The sum of in[0] to in[n - 1], by each thread.
const std::string sum = R"(
	mov.u32 	%r10, 0;
	mov.f32 	%f1, 0f00000000;
	setp.lt.s32 	%p1, %r1, 1;
	@%p1 bra 	$end;
$again:
	mul.wide.s32 	%rd3, %r10, 4;
	add.s64 	%rd4, %rd1, %rd3;
	ld.global.f32 	%f2, [%rd4];
	fma.rn.f32 	%f1, %f2, %f2, %f1;
	add.s32 	%r10, %r10, 1;
	setp.lt.s32 	%p2, %r10, %r1;
	@%p2 bra 	$again;
$end:
	ret;)";

TEST(KernelWork, ALoopIsFollowedToItsEnd) {
  for (const int n : {0, 1, 777}) {
    const KernelWork work = work_of_body(sum, launch_with({2}, {64}, 1000, n));
    EXPECT_EQ(work.fp32.fma, 128.0 * n);
    EXPECT_EQ(work.global_sectors, 4.0 * n) << "all lanes read the same";
  }
}

TEST(KernelWork, LanesThatPartMeetAgain) {
  const KernelWork work = work_of_body(R"(
	and.b32 	%r10, %r5, 1;
	setp.eq.s32 	%p1, %r10, 0;
	@%p1 bra 	$even;
	mul.f32 	%f1, %f2, %f2;
	bra.uni 	$both;
$even:
	add.f32 	%f1, %f2, %f2;
$both:
	fma.rn.f32 	%f3, %f1, %f1, %f1;
	.loc	1 9 1
	bar.sync 	0;
	ret;)",
                                       launch_with({1}, {64}, 32, 0));
  EXPECT_EQ(work.fp32.mul, 32);
  EXPECT_EQ(work.fp32.add, 32);
  EXPECT_EQ(work.fp32.fma, 64);
  EXPECT_EQ(work.barriers, 2) << "each warp arrives as one";
  EXPECT_EQ(work.divergent_branches, 2);
}

// out[in[i]] += 1.
const std::string scatter = R"(
	mul.wide.s32 	%rd3, %r2, 4;
	add.s64 	%rd4, %rd1, %rd3;
	ld.global.u32 	%r10, [%rd4];
	mul.wide.u32 	%rd5, %r10, 4;
	add.s64 	%rd6, %rd2, %rd5;
	red.global.add.u32 	[%rd6], 1;
	ret;)";

TEST(KernelWork, LoadedValuesDecideAddresses) {
  const struct {
    const char* what;
    std::uint64_t (*element)(std::uint64_t);
    double sectors;
  } rows[] = {{"neighbours", [](std::uint64_t i) { return i; }, 4},
              {"sectors of their own", [](std::uint64_t i) { return 8 * i; }, 32},
              {"one word, lane after lane", [](std::uint64_t) -> std::uint64_t { return 5; }, 32}};
  for (const auto& row : rows) {
    ProgramLaunch launch = launch_with({1}, {32}, 1024, 0);
    launch.buffers[0].element = row.element;
    const KernelWork work = work_of_body(scatter, launch);
    EXPECT_EQ(work.global_sectors, 4 + row.sectors) << row.what;
    EXPECT_THAT(work.findings, IsEmpty());
  }
}

TEST(KernelWork, AValueThatNobodyKnowsIsTold) {
  EXPECT_THAT(
      work_of_body(scatter, launch_with({1}, {32}, 1024, 0)).findings,
      ElementsAre(
          "kernel.cu:3: \"ld.global.u32\" of lane 0 of warp 0 reads a value that nobody knows, and which "
          "decides an address or a branch; 0 stands for it."));
}

TEST(KernelWork, AnAccessOutsideOfItsBufferIsTold) {
  EXPECT_THAT(
      work_of_body(copy_of_each(1), launch_with({1}, {64}, 40, 64)).findings,
      ElementsAre(
          "kernel.cu:5: \"ld.global.nc.f32\" of lane 8 of warp 1 is 160 bytes from the start of in, which "
          "has 160.",
          "kernel.cu:6: \"st.global.f32\" of lane 8 of warp 1 is 160 bytes from the start of out, which "
          "has 160."));
}

TEST(KernelWork, AnAccessThatMadeUpDataLeadOutsideIsToldAsThat) {
  ProgramLaunch launch = launch_with({1}, {32}, 1024, 0);
  launch.buffers[0].element = [](std::uint64_t i) { return 1'000'000 * i; };
  const KernelWork work = work_of_body(scatter, launch);
  ASSERT_THAT(work.findings, testing::Not(IsEmpty()));
  for (const std::string& finding : work.findings) {
    EXPECT_THAT(finding, HasSubstr(", with the data that are made up here: they decide its address."));
  }
}

TEST(KernelWork, AMisalignedAddressIsTold) {
  EXPECT_THAT(work_of_body("ld.global.v4.f32 {%f1,%f2,%f3,%f4}, [%rd1+8];\nret;", launch_with({1}, {32}, 40, 0))
                  .findings,
              ElementsAre(HasSubstr("has an address that is no multiple of its size.")));
}

TEST(KernelWork, SharedMemoryAndShufflesCarryValuesThatDecide) {
  // Each lane hands its number to the one below, by a shuffle and by shared memory; it is the step of a load.
  const KernelWork work = work_of_body(R"(
	.shared .align 4 .b8 words[128];
	mov.u32 	%r9, -1;
	shfl.sync.down.b32 	%r10|%p1, %r5, 1, 31, %r9;
	shl.b32 	%r11, %r5, 2;
	mov.u32 	%r12, words;
	add.s32 	%r13, %r12, %r11;
	st.shared.u32 	[%r13], %r10;
	bar.warp.sync 	%r9;
	ld.shared.u32 	%r14, [%r13];
	mul.wide.u32 	%rd3, %r14, 32;
	add.s64 	%rd4, %rd1, %rd3;
	ld.global.f32 	%f1, [%rd4];
	ret;)",
                                       launch_with({1}, {32}, 1024, 0));
  EXPECT_EQ(work.global_sectors, 31) << "the last lane keeps its own, which the one before has too";
}

struct Refused {
  const char* body;
  const char* sentence;
};

TEST(KernelWork, WhatIsNotFollowedIsASentence) {
  const Refused rows[] = {
      {"$for_ever:\n bra $for_ever;", "execute more instructions than are followed"},
      {"setp.eq.s32 %p1, %r5, 0;\n@%p1 bra $done;\nbar.sync 0, 1024;\n$done:\nret;",
       "\"bar.sync\" waits for threads"},
      {"frobnicate.u64 %rd3, %rd1;\nld.global.f32 %f1, [%rd3];\nret;",
       "\"frobnicate.u64\" decides an address or a branch, which is not followed"},
      {"{ .param .b32 a;\n call.uni kernel, (a); }\nret;", "\"call.uni\" calls a function"},
      {"trap;", "\"trap\" is reached"},
      {"ld.global.f32 %f1, %rd1;\nret;", "\"ld.global.f32\" has no address"},
  };
  for (const Refused& row : rows) {
    try {
      work_of_body(row.body, launch_with({1}, {32}, 32, 0));
      ADD_FAILURE() << row.body;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(row.sentence));
    }
  }
}

TEST(KernelWork, AFailedAssertionEndsItsLanesAndPrintingIsTold) {
  const KernelWork work = work_of_body(R"(
	setp.lt.s32 	%p1, %r5, 8;
	@%p1 bra 	$holds;
	{ .param .b64 a;
	st.param.b64 	[a+0], %rd1;
	call.uni __assertfail, (a); }
$holds:
	{ .param .b64 a;
	.param .b32 printed;
	call.uni (printed), vprintf, (a);
	ld.param.b32 	%r6, [printed+0]; }
	ld.global.f32 	%f1, [%rd1];
	ret;)",
                                       launch_with({1}, {32}, 32, 0));
  ASSERT_EQ(work.accesses.size(), 1U);
  EXPECT_EQ(work.accesses[0].counts.bytes, 8 * 4);
  EXPECT_THAT(work.findings, testing::Contains(HasSubstr("It prints")));
}

TEST(KernelWork, AnUnknownInstructionThatDecidesNothingIsCountedAlone) {
  const KernelWork work = work_of_body("frobnicate.f32 %f1, %f2;\nret;", launch_with({1}, {32}, 32, 0));
  EXPECT_EQ(work.warp_instructions.at(InstructionClass::control), 2);
}

TEST(KernelWork, TensorInstructionsAreCountedByTheirShape) {
  const KernelWork work = work_of_body(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%f1,%f2,%f3,%f4}, {%r10,%r11,%r12,%r13}, "
      "{%r14,%r15}, "
      "{%f1,%f2,%f3,%f4};\nret;",
      launch_with({1}, {64}, 32, 0));
  EXPECT_EQ(work.flops(bf16_tensor_pipe), Flops{2 * 2 * 16 * 8 * 16});
}

TEST(KernelWork, ACopyToSharedMemoryIsALoadThatZerosMaySkip) {
  const struct {
    const char* what;
    const char* copy;
  } rows[] = {{"by a size", "selp.b32 %r13, 16, 0, %p1;\ncp.async.cg.shared.global [%r12], [%rd4], 16, %r13;"},
              {"by a predicate",
               "{\n.reg .pred outside;\nnot.pred outside, %p1;\n"
               "cp.async.cg.shared.global [%r12], [%rd4], 16, outside;\n}"}};
  for (const auto& row : rows) {
    const KernelWork work = work_of_body(std::string(R"(
	.shared .align 16 .b8 tile[1024];
	mov.u32 	%r10, tile;
	shl.b32 	%r11, %r5, 4;
	add.s32 	%r12, %r10, %r11;
	mul.wide.u32 	%rd3, %r5, 16;
	add.s64 	%rd4, %rd1, %rd3;
	setp.lt.s32 	%p1, %r5, 16;
	)") + row.copy + "\nret;",
                                         launch_with({1}, {32}, 128, 0));
    EXPECT_EQ(work.global_sectors, 8) << row.what;
    EXPECT_EQ(work.global_requests, 1) << row.what;
  }
}

// A matrix of 100 rows and columns, 128 floats from row to row; boxes of 8 rows and 32 columns.
TEST(KernelWork, ACopyOfTmaMovesTheSectorsOfItsBoxThatLieInTheMatrix) {
  const struct {
    const char* what;
    int column, row;
    double sectors;
  } rows[] = {{"inside", 0, 0, 8 * 4},
              {"over the right edge", 80, 0, 8 * 3},
              {"over the corner", 80, 96, 4 * 3},
              {"over the left edge", -16, 8, 8 * 2},
              {"outside", 128, 0, 0}};
  for (const auto& row : rows) {
    ProgramLaunch launch = launch_with({3}, {32}, 100 * 128, 0);
    launch.maps = {{.argument = 16,
                    .buffer = 0,
                    .rows = 100,
                    .columns = 100,
                    .row_stride = 128,
                    .box_rows = 8,
                    .box_columns = 32}};
    const KernelWork work = work_of_body(fmt::format(R"(
	mov.b64 	%rd9, kernel_param_2;
	mov.u32 	%r10, {};
	mov.u32 	%r11, {};
	setp.ne.s32 	%p1, %r5, 0;
	@%p1 bra 	$done;
	cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r12], [%rd9, {{%r10, %r11}}], [%r13];
$done:
	ret;)",
                                                     row.column, row.row),
                                         launch);
    EXPECT_EQ(work.accesses.empty() ? 0 : work.accesses[0].counts.sectors, 3 * row.sectors) << row.what;
    EXPECT_EQ(work.global_sectors, 0) << row.what << ": past L1";
  }
}

TEST(KernelWork, ABulkCopyMovesItsBytes) {
  for (const char* copy :
       {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r12], [%rd1], 256, [%r13];",
        "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r12], 256;",
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%rd1], [%r12], 256;"}) {
    const KernelWork work = work_of_body(fmt::format("setp.eq.s32 %p1, %r5, 0;\n@%p1 {}\nret;", copy),
                                         launch_with({2}, {32}, 1024, 0));
    ASSERT_EQ(work.accesses.size(), 1U) << copy;
    EXPECT_EQ(work.accesses[0].counts.sectors, 2 * 8) << copy;
  }
  const KernelWork of_4_gb = work_of_body(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r12], [%rd1], -1, [%r13];\nret;",
      launch_with({2}, {32}, 1024, 0));
  EXPECT_TRUE(of_4_gb.accesses.empty()) << "no shared memory holds so much";
}

// Lanes 0 to 3 add to one word each time, the others to a word of their own.
TEST(KernelWork, AFloatAddedToSharedMemoryIsTriedUntilItSucceeds) {
  const KernelWork work = work_of_body(R"(
	.shared .align 4 .b8 sums[128];
	mov.u32 	%r10, sums;
	max.u32 	%r11, %r5, 3;
	shl.b32 	%r12, %r11, 2;
	add.s32 	%r13, %r10, %r12;
	red.shared.add.f32 	[%r13], %f1;
	ret;)",
                                       launch_with({1}, {32}, 32, 0));
  EXPECT_EQ(work.fp32.add, 28 + 1 + 2 + 3 + 4);
  EXPECT_GE(work.warp_instructions.at(InstructionClass::atomic), 4 * 4);
}

TEST(KernelWork, OneLaneActsWhereAllAddToOneWord) {
  const auto sectors = [](const std::string& body) {
    return work_of_body(body + "\nret;", launch_with({4}, {64}, 64, 0)).global_sectors;
  };
  constexpr double warps = 8;
  EXPECT_EQ(sectors("red.global.add.u32 [%rd2], 1;"), warps);
  EXPECT_EQ(sectors("atom.global.max.s32 %r10, [%rd2+4], %r5;"), warps);
  EXPECT_EQ(sectors("red.global.add.f32 [%rd2], %f1;"), 32 * warps) << "floats are not joined";
  EXPECT_EQ(sectors("and.b32 %r10, %r5, 0;\ncvt.u64.u32 %rd5, %r10;\nadd.s64 %rd4, %rd2, %rd5;\n"
                    "red.global.add.u32 [%rd4], 1;"),
            32 * warps)
      << "the compiler does not know that the address is one";
}

// An H200 counts them so.
TEST(KernelWork, AnInstructionOfFp16CountsTwiceAndANegationWhereItIsStored) {
  const struct {
    const char* body;
    double flops_of_lane;
  } rows[] = {{"add.rn.f16 %r10, %r11, %r12;", 2},
              {"fma.rn.bf16 %r10, %r11, %r12, %r13;", 4},
              {"mul.rn.f16x2 %r10, %r11, %r12;", 2},
              {"set.gt.f16x2.f16x2 %r10, %r11, %r12;", 2},
              {"set.gt.f32.f32 %f1, %f2, %f3;", 0},
              {"neg.f32 %f1, %f2; add.f32 %f3, %f1, %f2;", 1},
              {"neg.f32 %f1, %f2; st.global.f32 [%rd2], %f1;", 1},
              {"neg.f64 %rd4, %rd5; st.global.f64 [%rd2], %rd4;", 1},
              {"neg.s32 %r10, %r11; st.global.u32 [%rd2], %r10;", 0}};
  for (const auto& row : rows) {
    const KernelWork work = work_of_body(std::string(row.body) + "\nret;", launch_with({1}, {32}, 32, 0));
    const Flops all = work.flops_below(fp16_pipe);
    EXPECT_EQ(all, Flops{32 * row.flops_of_lane}) << row.body;
  }
}

TEST(KernelWork, ADoubleAmongFloatsCountsBelowItsRoofWithThem) {
  const KernelWork work =
      work_of_body("add.f64 %rd4, %rd5, %rd6;\nadd.f32 %f1, %f2, %f3;\nret;", launch_with({1}, {32}, 32, 0));
  EXPECT_EQ(work.flops(fp64_pipe), Flops{32});
  EXPECT_EQ(work.flops_below(fp64_pipe), Flops{64});
  EXPECT_EQ(work.flops_below(fp32_pipe), Flops{64});
}

// Each block has two warps; one of them loops 100 times.
TEST(KernelWork, TheBusiestWarpIsKnown) {
  const std::string body = R"(
	setp.ge.s32 	%p1, %r5, 32;
	@%p1 bra 	$done;
	mov.u32 	%r10, 100;
$trip:
	add.s32 	%r10, %r10, -1;
	setp.ne.s32 	%p2, %r10, 0;
	@%p2 bra 	$trip;
$done:
	ret;)";
  EXPECT_NEAR(work_of_body(body, launch_with({10}, {64}, 640, 0)).busiest_warp, 2, 0.2);
  EXPECT_EQ(work_of_body(body, launch_with({10}, {32}, 320, 0)).busiest_warp, 1);
}

// Four blocks loop 100 times. The other blocks loop 50 times.
TEST(KernelWork, TheBusiestBlockIsKnown) {
  const std::string body = R"(
	setp.lt.s32 	%p1, %r3, 4;
	selp.b32 	%r10, 100, 50, %p1;
$trip:
	add.s32 	%r10, %r10, -1;
	setp.ne.s32 	%p2, %r10, 0;
	@%p2 bra 	$trip;
	ret;)";
  EXPECT_NEAR(work_of_body(body, launch_with({10}, {32}, 320, 0)).block_imbalance, 100 / 70.0, 0.02);
  EXPECT_EQ(work_of_body(body, launch_with({4}, {32}, 128, 0)).block_imbalance, 1);
}

TEST(KernelWork, ADivisionIsTheSequenceThatPtxasMakesOfIt) {
  const KernelWork work =
      work_of_body("div.rn.f32 %f1, %f2, %f3;\nrcp.rn.f32 %f4, %f1;\nret;", launch_with({1}, {32}, 32, 0));
  EXPECT_EQ(work.fp32.fma, 32 * (5 + 2));
  EXPECT_EQ(work.fp32.add, 32);
}

TEST(KernelWork, SharedMemoryOfOtherBlocksTakesASectorOfL1ForEachLane) {
  ProgramLaunch launch = launch_with({4}, {32}, 32, 0);
  launch.launch.cluster = {2};
  const KernelWork work = work_of_body(R"(
	.shared .align 4 .b8 words[128];
	mov.u32 	%r10, words;
	and.b32 	%r11, %r5, 1;
	mapa.shared::cluster.u32 %r12, %r10, %r11;
	red.relaxed.cluster.shared::cluster.add.s32 [%r12], 1;
	ret;)",
                                       launch);
  EXPECT_EQ(work.remote_sectors, 4 * 16);
  EXPECT_EQ(work.shared_requests, 4);
  EXPECT_EQ(work.shared_wavefronts, 4 * 16) << "16 lanes add to one word in turns";
}

TEST(KernelWork, AVariableThatIsFilledDecidesHowOftenALoopRuns) {
  const std::string body = R"(
	ld.const.u32 	%r6, [_ZN4ours5tableE+4];
	mul.wide.s32 	%rd3, %r2, 4;
	add.s64 	%rd4, %rd2, %rd3;
	mov.u32 	%r7, 0;
$again:
	st.global.f32 	[%rd4], %f1;
	add.s32 	%r7, %r7, 1;
	setp.lt.s32 	%p1, %r7, %r6;
	@%p1 bra 	$again;
	ret;)";
  const Program program = parse_ptx(kernel_text(body, ".const .align 4 .b8 _ZN4ours5tableE[16];\n"));
  ProgramLaunch launch = launch_with({1}, {32}, 32, 0);
  EXPECT_EQ(work_of(program, launch).global_requests, 1) << "a variable begins with zeros";
  launch.variables = {
      {"ours::table", 4, [](std::uint64_t count) { return [=](std::uint64_t i) { return count * i; }; }}};
  EXPECT_EQ(work_of(program, launch).global_requests, 4);
  launch.variables[0].elements = [](std::uint64_t) { return Elements{}; };
  EXPECT_EQ(work_of(program, launch).global_requests, 1) << "nobody knows what the file holds";
}

}  // namespace
}  // namespace rooftile::ptx
