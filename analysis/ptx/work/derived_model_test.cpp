// A model out of compiled code, compared with figures worked out by hand.
#include "analysis/ptx/work/derived_model.hpp"

#include <gmock/gmock.h>

#include "analysis/chip/pipe.hpp"
#include "analysis/ptx/work/test_kernel.hpp"

namespace rooftile::ptx {
namespace {

Model derived(const std::string& body, const ProgramLaunch& launch, const CacheTraffic& traffic = {},
              const std::string& source = "") {
  const Program program = parse_ptx(kernel_text(body));
  Model stated;
  stated.launch = launch.launch;
  stated.states_work = false;
  return derived_model(stated, program, work_of(program, launch), traffic, source);
}

// out[i] = in[i * step] + in[i * step]
std::string sum_of_each(int step) {
  return fmt::format(R"(
	.loc	1 2 3
	mul.wide.s32 	%rd3, %r2, {};
	add.s64 	%rd4, %rd1, %rd3;
	ld.global.nc.f32 	%f1, [%rd4];
	add.f32 	%f2, %f1, %f1;
	.loc	1 3 3
	mul.wide.s32 	%rd5, %r2, 4;
	add.s64 	%rd6, %rd2, %rd5;
	st.global.f32 	[%rd6], %f2;
	ret;)",
                     4 * step);
}

TEST(DerivedModel, AStreamIsItsBytesAndItsFlops) {
  const Model model = derived(sum_of_each(1), launch_with({100}, {256}, 25600, 0));
  EXPECT_TRUE(model.states_work);
  EXPECT_EQ(model.pipe, fp32_pipe);
  EXPECT_EQ(model.flops, Flops{25600});
  EXPECT_EQ(model.bytes[MemoryLevel::l1], Bytes{2 * 4 * 25600});
  EXPECT_EQ(model.compulsory_dram, Bytes{2 * 4 * 25600});
  EXPECT_EQ(model.rounds, 1);
  EXPECT_EQ(model.origin, "the compiled code (3 of 100 blocks run)");
}

TEST(DerivedModel, SaysThatTripsOfALoopWereMultiplied) {
  const Model model = derived(R"(
	mov.u32 	%r10, 0;
$again:
	ld.global.f32 	%f1, [%rd1];
	add.s64 	%rd1, %rd1, 32;
	add.s32 	%r10, %r10, 1;
	setp.lt.s32 	%p1, %r10, 100;
	@%p1 bra 	$again;
	ret;)",
                              launch_with({1}, {32}, 1024, 0));
  EXPECT_EQ(model.bytes[MemoryLevel::l1], Bytes{100 * 32});
  EXPECT_EQ(model.origin, "the compiled code (1 of 1 blocks run, loops that repeat multiplied)");
}

TEST(DerivedModel, ABufferIsReadOnceHoweverOftenLanesAskForIt) {
  const std::string all_read_the_first_line = sum_of_each(0);
  const Model model = derived(all_read_the_first_line, launch_with({100}, {256}, 25600, 0));
  EXPECT_EQ(model.bytes[MemoryLevel::l1], (Bytes{(32 + 4 * 32) * 800}));
  EXPECT_EQ(model.compulsory_dram, (Bytes{32 + 4 * 25600}));
}

TEST(DerivedModel, GapsBetweenTheLanesAreNotTouched) {
  const Model model = derived(sum_of_each(16), launch_with({1}, {32}, 1024, 0));
  EXPECT_EQ(model.compulsory_dram, (Bytes{32 * 32 + 4 * 32}));
  ASSERT_EQ(model.global_accesses.size(), 2U);
  EXPECT_EQ(model.global_accesses[0].partial_sectors, 32) << "of which each fills 4 bytes";
}

TEST(DerivedModel, AccessesOfOneLineAreOneAndNamedAfterIt) {
  const std::string walk_down_a_column = R"(
	.loc	1 2 3
	shl.b32 	%r6, %r5, 7;
	mov.b32 	%r7, 4;
	add.s32 	%r8, %r6, %r7;
	st.shared.f32 	[%r6], %f1;
	st.shared.f32 	[%r8], %f1;
	ret;)";
  ProgramLaunch launch = launch_with({10}, {32}, 1024, 0);
  launch.launch.dynamic_shared_bytes = 4096 + 4;
  const Model model = derived(walk_down_a_column, launch, {}, "first\n  tile[threadIdx.x][0] = 0;\n");
  ASSERT_EQ(model.accesses.size(), 1U);
  const AccessModel& access = model.accesses[0];
  EXPECT_EQ(access.name, "store, line 2: tile[threadIdx.x][0] = 0;");
  EXPECT_TRUE(access.store);
  EXPECT_EQ(access.pattern.wavefronts, 32);
  EXPECT_EQ(access.requests, 20);
  EXPECT_EQ(access.wavefronts, 20 * 32);
  EXPECT_EQ(access.addresses[1], 128);
  EXPECT_EQ(model.bytes[MemoryLevel::shared], (Bytes{128 * 20 * 32}));
}

// A warp waits at the first use of what it has loaded, and then for all loads that are under way.
TEST(DerivedModel, LoadsThatAreUnderWayTogetherAreOneRound) {
  const std::string two_loads = R"(
	mul.wide.s32 	%rd3, %r2, 4;
	add.s64 	%rd4, %rd1, %rd3;
	ld.global.u32 	%r6, [%rd4];
	setp.ge.s32 	%p1, %r2, 1000;
	@%p1 bra 	$next;
	ld.global.u32 	%r7, [%rd4+4];
$next:
)";
  const std::string use_both = R"(
	add.s32 	%r8, %r6, %r7;
	st.global.u32 	[%rd4], %r8;
	ret;)";
  const std::string gather = R"(
	and.b32 	%r8, %r6, 255;
	mul.wide.s32 	%rd5, %r8, 4;
	add.s64 	%rd6, %rd2, %rd5;
	ld.global.u32 	%r9, [%rd6];
	add.s32 	%r10, %r9, %r7;
	st.global.u32 	[%rd4], %r10;
	ret;)";
  EXPECT_EQ(derived(two_loads + use_both, launch_with({10}, {64}, 1024, 0)).rounds, 1);
  EXPECT_EQ(derived(two_loads + gather, launch_with({10}, {64}, 1024, 0)).rounds, 2);
}

TEST(DerivedModel, ALoadMovesUpToTheStoreBeforeIt) {
  const std::string use_one = R"(
	mul.wide.s32 	%rd3, %r2, 4;
	add.s64 	%rd4, %rd1, %rd3;
	add.s64 	%rd6, %rd2, %rd3;
	ld.global.f32 	%f1, [%rd4];
	add.f32 	%f2, %f1, %f1;
)";
  const std::string use_another = R"(
	ld.global.f32 	%f3, [%rd4+4];
	add.f32 	%f4, %f3, %f2;
	st.global.f32 	[%rd6+4], %f4;
	ret;)";
  const std::string store = "	st.global.f32 	[%rd6], %f2;\n";
  EXPECT_EQ(derived(use_one + use_another, launch_with({10}, {64}, 1024, 0)).rounds, 1);
  EXPECT_EQ(derived(use_one + store + use_another, launch_with({10}, {64}, 1024, 0)).rounds, 2);
}

TEST(DerivedModel, ARowOfGuardedLoadsIsOneRound) {
  const auto row = [](int number, const char* after) {
    return fmt::format(R"(
	setp.ge.s32 	%p1, %r2, {0}000;
	@%p1 bra 	$next{0};
	ld.global.f32 	%f1, [%rd4+{0}];
	{1}
	st.shared.f32 	[%r4+{0}], %f1;
$next{0}:
)",
                       4 * number, after);
  };
  const std::string begin = "	mul.wide.s32 	%rd3, %r2, 4;\n	add.s64 	%rd4, %rd1, %rd3;\n";
  const auto rounds = [&](const char* after) {
    return derived(begin + row(1, after) + row(2, after) + row(3, after) + "	ret;",
                   launch_with({10}, {64}, 1024, 0))
        .rounds;
  };
  EXPECT_EQ(rounds(""), 1);
  EXPECT_EQ(rounds("st.global.f32 	[%rd4], %f1;"), 3) << "no load passes a store";
}

TEST(DerivedModel, DramIsABoundUntilItsTrafficIsKnown) {
  const Bytes touched{2 * 4 * 25600};
  const struct {
    const char* what;
    CacheTraffic traffic;
    bool bound;
  } rows[] = {{"nothing known", {}, true},
              {"L2 is asked once", {touched, {}}, false},
              {"L2 is asked twice", {2 * touched, {}}, true},
              {"a model of DRAM", {2 * touched, touched}, false}};
  for (const auto& row : rows) {
    const Model model = derived(sum_of_each(1), launch_with({100}, {256}, 25600, 0), row.traffic);
    EXPECT_EQ(model.dram_is_bound, row.bound) << row.what;
  }
}

}  // namespace
}  // namespace rooftile::ptx
