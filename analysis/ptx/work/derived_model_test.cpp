// A model out of compiled code, compared with figures worked out by hand.
#include "analysis/ptx/work/derived_model.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

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
  EXPECT_EQ(model.global_accesses[0].partial_lines, 16) << "of two sectors each, which lanes half fill";
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

// Lanes that add floats to one word take turns in L2, lanes of neighbouring words share a sector.
TEST(DerivedModel, AtomicsKnowTheirLanesAndHowManyMeetOnOneWord) {
  const auto atomic = [](const char* index) {
    const Model model = derived(std::string("	mul.wide.u32 	%rd3, ") + index + R"(, 4;
	add.s64 	%rd4, %rd1, %rd3;
	red.global.add.f32 	[%rd4], %f1;
	ret;)",
                                launch_with({10}, {64}, 1024, 0));
    return model.atomics.at(0);
  };
  const AtomicModel apart = atomic("%r2"), together = atomic("0");
  EXPECT_EQ(apart.lanes, 640);
  EXPECT_EQ(apart.same, 0);
  EXPECT_EQ(apart.operations, 20 * 4) << "sectors";
  EXPECT_EQ(together.lanes, 640);
  EXPECT_EQ(together.same, 1);
  EXPECT_EQ(together.operations, 640);
  EXPECT_FALSE(together.on_other_blocks);
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

// A session names the GPU that it was measured on: anything within the bounds of analysis/session.md.
TEST(DerivedModel, AnyGpuGivesTheFlopsOfTheKernel) {
  std::mt19937 random(7);
  const auto any = [&](int least, int most) {
    const double share = std::uniform_real_distribution<>(0, 1)(random);
    return least + static_cast<int>(std::expm1(share * std::log1p(most - least)));
  };
  const auto shared = [&] { return any(0, 1 << 24); };
  const std::string ptx = kernel_text(sum_of_each(1));
  for (int trial = 0; trial < 3000; ++trial) {
    Gpu gpu;
    gpu.cc = {any(5, 12), 0};
    gpu.sm_count = any(1, 10000);
    gpu.boost_clock = {1e9};
    gpu.l2_size = {static_cast<double>(any(1, 1 << 30))};
    gpu.sm = {any(1, 65536),   any(1, 2048),    any(1, 1024),  any(1, 1 << 24),
              any(1, 16),      any(1, 1 << 24), shared(),      shared(),
              any(0, 1 << 20), any(32, 65536),  any(0, 65536), {shared(), shared(), shared()}};
    StatedLaunch stated;
    stated.launch = launch_with({100}, {256}, 25600, 0);
    stated.model.launch = stated.launch.launch;
    stated.model.launch.carveout_percent = any(0, 100);
    const Model model =
        derived_model(CompiledLaunch{ptx, "kernel", "", Compiled{gpu.cc, any(1, 255), shared()}}, stated, gpu);
    EXPECT_EQ(model.flops, Flops{25600}) << trial;
  }
}

}  // namespace
}  // namespace rooftile::ptx
