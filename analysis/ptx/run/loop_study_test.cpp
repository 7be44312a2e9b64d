// Loops whose trips are multiplied, against the same loops with every trip run.
#include "analysis/ptx/run/loop_study.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <tuple>

#include "analysis/ptx/work/test_kernel.hpp"

namespace rooftile::ptx {
namespace {

// for (int k = 0; k < n; ++k) with %r10 as k.
std::string loop(const std::string& body, const std::string& bound = "%r1") {
  return R"(
	.shared .align 16 .b8 tile[16384];
	mov.u32 	%r10, 0;
	mov.u32 	%r20, 0;
	mul.wide.s32 	%rd20, %r2, 4;
	add.s64 	%rd21, %rd1, %rd20;
$again:
	setp.ge.s32 	%p1, %r10, )" +
         bound + R"(;
	@%p1 bra 	$done;
)" + body +
         R"(
	add.s32 	%r10, %r10, 1;
	bra 	$again;
$done:
	st.global.f32 	[%rd21], %f1;
	ret;)";
}

// in[k * step + thread]
std::string load_row(int step) {
  return fmt::format(R"(
	mul.wide.s32 	%rd3, %r10, {};
	add.s64 	%rd4, %rd21, %rd3;
	ld.global.f32 	%f1, [%rd4];
)",
                     4 * step);
}

struct Case {
  const char* what;
  std::string body;
};

const Case cases[] = {
    {"whole sectors on", loop(load_row(32))},
    {"one float on, so that sectors repeat each eighth trip", loop(load_row(1))},
    {"rows of an odd length", loop(load_row(37))},
    {"an address of its own", loop("\tadd.s64 \t%rd21, %rd21, 128;\n\tld.global.f32 \t%f1, [%rd21];\n")},
    {"a stage of three", loop(R"(
	rem.u32 	%r11, %r10, 3;
	shl.b32 	%r12, %r11, 10;
	mov.u32 	%r13, tile;
	add.s32 	%r14, %r13, %r12;
	mad.lo.s32 	%r15, %r5, 12, %r14;
	ld.shared.f32 	%f1, [%r15];
	bar.sync 	0;
)")},
    {"what changes half way",
     loop("\tshl.b32 \t%r11, %r10, 1;\n\tsetp.lt.s32 \t%p2, %r11, %r1;\n\t@%p2 bra \t$skip;\n" + load_row(64) +
          "$skip:\n")},
    {"a guard that changes", loop("\tsub.s32 \t%r11, %r1, %r10;\n\tsetp.lt.s32 \t%p2, %r11, 5;\n\t@%p2 "
                                  "fma.rn.f32 \t%f1, %f2, %f2, %f3;\n")},
    {"a bound that clamps", loop(R"(
	min.s32 	%r11, %r10, 50;
	mul.wide.s32 	%rd3, %r11, 4;
	add.s64 	%rd4, %rd21, %rd3;
	ld.global.f32 	%f1, [%rd4];
)")},
    {"a loop inside", loop(R"(
	mov.u32 	%r11, 0;
$inner:
	mad.lo.s32 	%r12, %r10, 40, %r11;
	mul.wide.s32 	%rd3, %r12, 4;
	add.s64 	%rd4, %rd21, %rd3;
	ld.global.f32 	%f1, [%rd4];
	add.s32 	%r11, %r11, 1;
	setp.lt.s32 	%p2, %r11, 40;
	@%p2 bra 	$inner;
)")},
    {"a loop inside that grows", loop(R"(
	mov.u32 	%r11, 0;
$inner:
	add.s32 	%r11, %r11, 1;
	setp.lt.s32 	%p2, %r11, %r10;
	fma.rn.f32 	%f1, %f2, %f2, %f3;
	@%p2 bra 	$inner;
)")},
    {"lanes that end at different trips", loop("\tfma.rn.f32 \t%f1, %f2, %f2, %f3;\n", "%r2")},
    {"a count down", R"(
	mov.u32 	%r10, %r1;
$again:
	fma.rn.f32 	%f1, %f2, %f2, %f3;
	add.s32 	%r10, %r10, -1;
	setp.gt.s32 	%p1, %r10, 0;
	@%p1 bra 	$again;
	ret;)"},
};

TEST(LoopStudy, MultipliedTripsCountAsThoseThatAreRun) {
  for (const Case& row : cases) {
    for (const int n : {0, 1, 5, 60, 333}) {
      const Program program = parse_ptx(kernel_text(row.body));
      const ProgramLaunch launch = launch_with({2}, {96}, 100'000, n);
      const KernelWork run = work_of(program, launch, {.every_trip = true}), quick = work_of(program, launch);
      const std::string where = fmt::format("{}, {} trips", row.what, n);
      EXPECT_EQ(run.multiplied_trips, 0) << where;
      EXPECT_EQ(quick.warp_instructions, run.warp_instructions) << where;
      EXPECT_EQ(quick.global_requests, run.global_requests) << where;
      EXPECT_EQ(quick.global_sectors, run.global_sectors) << where;
      EXPECT_EQ(quick.shared_wavefronts, run.shared_wavefronts) << where;
      EXPECT_EQ(quick.fp32.fma, run.fp32.fma) << where;
      EXPECT_EQ(quick.barriers, run.barriers) << where;
      EXPECT_EQ(quick.divergent_branches, run.divergent_branches) << where;
      EXPECT_EQ(quick.findings, run.findings) << where;
    }
  }
}

// Time, instruction and sector of all that the block in the middle asks for.
std::vector<std::tuple<std::uint32_t, std::int32_t, std::uint64_t>> traced(const Program& program,
                                                                           const ProgramLaunch& launch,
                                                                           std::size_t most, bool every_trip) {
  SectorTrace trace(most);
  BlockRun run(program, launch, {.every_trip = every_trip});
  run.trace(trace);
  Counts counts(program);
  run.run({1}, counts);
  EXPECT_EQ(run.multiplied_trips() > 0, !every_trip);
  std::vector<std::tuple<std::uint32_t, std::int32_t, std::uint64_t>> all;
  for (const SectorRequest& request : trace.requests) {
    for (std::uint32_t i = 0; i < request.times; ++i) {
      for (std::size_t k = 0; k < static_cast<std::size_t>(request.count); ++k) {
        all.emplace_back(request.time + i * request.time_step, request.instruction,
                         trace.sectors[request.first + k] + i * request.sector_step);
      }
    }
  }
  std::ranges::sort(all);
  return all;
}

TEST(LoopStudy, MultipliedTripsAreTracedAsThoseThatAreRun) {
  const ProgramLaunch launch = launch_with({2}, {96}, 100'000, 200);
  for (const Case& row : {cases[0], cases[1], cases[3], cases[8]}) {
    const Program program = parse_ptx(kernel_text(row.body));
    EXPECT_EQ(traced(program, launch, 100'000, false), traced(program, launch, 100'000, true)) << row.what;
  }
}

TEST(LoopStudy, AFullTraceEndsAMultipliedLoop) {
  const Program program = parse_ptx(kernel_text(cases[0].body));
  SectorTrace trace(50);
  const ProgramLaunch launch = launch_with({1}, {32}, 100'000'000, 1'000'000);
  BlockRun run(program, launch, {});
  run.trace(trace);
  Counts counts(program);
  run.run({0}, counts);
  EXPECT_TRUE(trace.was_full());
  EXPECT_LT(trace.requests.size(), 10U);
}

// Words of `in` that the lanes count in shared memory, by their low bits; at the end the first is added to
// `out`.
constexpr const char* histogram = R"(
	.shared .align 4 .b8 bins[1024];
	cvta.to.global.u64 	%rd3, %rd1;
	cvta.to.global.u64 	%rd4, %rd2;
	mul.wide.u32 	%rd5, %r2, 4;
	add.s64 	%rd6, %rd3, %rd5;
	mov.u32 	%r13, bins;
	mov.u32 	%r10, 0;
$again:
	ld.global.u32 	%r11, [%rd6];
	and.b32 	%r12, %r11, 255;
	mad.lo.s32 	%r14, %r12, 4, %r13;
	atom.shared.add.u32 	%r15, [%r14], 1;
	add.s64 	%rd6, %rd6, 128;
	add.s32 	%r10, %r10, 1;
	setp.lt.s32 	%p1, %r10, %r1;
	@%p1 bra 	$again;
	ld.shared.u32 	%r16, [%r13];
	red.global.add.u32 	[%rd4], %r16;
	ret;)";

TEST(LoopStudy, TripsThatDifferInTheirDataAloneAreMultipliedByTheirMean) {
  const Program program = parse_ptx(kernel_text(histogram));
  ProgramLaunch launch = launch_with({1}, {256}, 1'000'000, 1000);
  launch.buffers[0].element = [](std::uint64_t i) { return i * 0x9e3779b1U >> 7 & 0xffffffffU; };
  const KernelWork run = work_of(program, launch, {.every_trip = true}), quick = work_of(program, launch);
  EXPECT_GT(quick.multiplied_trips, 8 * 900);
  EXPECT_EQ(quick.warp_instructions, run.warp_instructions);
  EXPECT_EQ(quick.shared_requests, run.shared_requests);
  EXPECT_EQ(quick.global_sectors, run.global_sectors);
  EXPECT_NEAR(quick.shared_wavefronts, run.shared_wavefronts, 0.05 * run.shared_wavefronts);
}

TEST(LoopStudy, TripsAreRunWhereWhatTheyStoreDecides) {
  std::string body = histogram;
  body.replace(body.find("[%rd4], %r16"), 12, "[%r16], %r16");  // by a count as an address
  const KernelWork work = work_of(parse_ptx(kernel_text(body)), launch_with({1}, {32}, 1'000'000, 100));
  EXPECT_EQ(work.multiplied_trips, 0);
}

TEST(LoopStudy, ALongLoopIsNotRunToItsEnd) {
  constexpr Budget small{.warp_instructions = 5'000};
  const ProgramLaunch launch = launch_with({1}, {32}, 100'000'000, 1'000'000);
  for (const Case& row : {cases[0], cases[1], cases[3], cases[4]}) {
    const KernelWork work = work_of(parse_ptx(kernel_text(row.body)), launch, small);
    EXPECT_GT(work.multiplied_trips, 999'900) << row.what;
  }
}

}  // namespace
}  // namespace rooftile::ptx
