// Bytes at L2 and DRAM of launches whose answer is known.
#include "analysis/ptx/work/memory_traffic.hpp"

#include <gtest/gtest.h>

#include "analysis/ptx/work/test_kernel.hpp"

namespace rooftile::ptx {
namespace {

constexpr double mb = 1 << 20;
constexpr Residency full{.blocks = 8, .sms = 100, .l1_bytes = 1 << 17};

Gpu gpu_with(double l2_bytes, ComputeCapability cc) {
  Gpu gpu;
  gpu.cc = cc;
  gpu.sm_count = full.sms;
  gpu.l2_size = {l2_bytes};
  return gpu;
}

const Gpu one_part = gpu_with(32 * mb, {8, 9}), two_parts = gpu_with(32 * mb, {9, 0});

// Each thread copies one float.
constexpr const char* copy = R"(
	mul.wide.s32 	%rd3, %r2, 4;
	add.s64 	%rd4, %rd1, %rd3;
	add.s64 	%rd5, %rd2, %rd3;
	ld.global.f32 	%f1, [%rd4];
	st.global.f32 	[%rd5], %f1;
	ret;)";

MemoryTraffic traffic_of(const std::string& body, const ProgramLaunch& launch, const Gpu& gpu,
                         Caches caches = Caches::cold, const Residency& residency = full) {
  const Program program = parse_ptx(kernel_text(body));
  return memory_traffic(program, launch, work_of(program, launch), residency, gpu, caches).value();
}

ProgramLaunch copy_of(double bytes) {
  const int floats = static_cast<int>(bytes / 4);
  return launch_with({floats / 256}, {256}, static_cast<std::uint64_t>(floats), floats);
}

TEST(MemoryTraffic, AStreamComesFromDramAndGoesThereButForWhatL2Holds) {
  const MemoryTraffic stream = traffic_of(copy, copy_of(128 * mb), one_part);
  EXPECT_NEAR(stream.dram_read.value, 128 * mb, mb);
  EXPECT_NEAR(stream.dram_written.value, (128 - 0.875 * 32 / 2) * mb, 2 * mb);
  EXPECT_NEAR(stream.l2.value, 256 * mb, mb);
  EXPECT_EQ(stream.between_l2_parts, Bytes{});
  EXPECT_FALSE(stream.at_least);
}

TEST(MemoryTraffic, HalfOfAStreamPassesBothPartsOfATwoPartL2) {
  const MemoryTraffic stream = traffic_of(copy, copy_of(128 * mb), two_parts);
  EXPECT_NEAR(stream.l2.value, 1.5 * 256 * mb, 2 * mb);
  EXPECT_NEAR(stream.between_l2_parts.value, 128 * mb, mb);
  EXPECT_NEAR(stream.dram_read.value, 128 * mb, mb);
  EXPECT_GT(stream.dram_written, traffic_of(copy, copy_of(128 * mb), one_part).dram_written);
}

TEST(MemoryTraffic, AResultThatFitsStaysInL2) {
  const MemoryTraffic small = traffic_of(copy, copy_of(4 * mb), two_parts);
  EXPECT_NEAR(small.dram_read.value, 4 * mb, 0.1 * mb);
  EXPECT_EQ(small.dram_written.value, 0);
}

TEST(MemoryTraffic, AWarmLaunchFindsWhatFits) {
  EXPECT_EQ(traffic_of(copy, copy_of(4 * mb), two_parts, Caches::warm).dram().value, 0);
  const MemoryTraffic large = traffic_of(copy, copy_of(64 * mb), two_parts, Caches::warm);
  EXPECT_NEAR(large.dram_read.value, 64 * mb, mb);
  EXPECT_NEAR(large.dram_written.value, 64 * mb, mb);
}

// Each thread reads one float, column by column of 8: 1 << rows of them lie 32 bytes apart.
std::string column_of_eight(int rows) {
  return fmt::format(R"(
	and.b32 	%r10, %r2, {};
	shr.u32 	%r11, %r2, {};
	mad.lo.s32 	%r12, %r10, 8, %r11;
	mul.wide.s32 	%rd3, %r12, 4;
	add.s64 	%rd4, %rd1, %rd3;
	ld.global.f32 	%f1, [%rd4];
	ret;)",
                     (1 << rows) - 1, rows);
}

TEST(MemoryTraffic, ColumnsThrashWhereOneOfThemFillsL2) {
  const auto read = [](int rows) {
    const int floats = 8 << rows;
    const ProgramLaunch launch = launch_with({floats / 256}, {256}, static_cast<std::uint64_t>(floats), 0);
    return traffic_of(column_of_eight(rows), launch, one_part).dram_read.value;
  };
  EXPECT_NEAR(read(18), 8 * mb, 0.1 * mb);
  EXPECT_NEAR(read(21), 8 * 64 * mb, 10 * mb);
}

// Each block reads all of a buffer as a tiled multiply reads all of B, %r1 trips of 1 KB.
constexpr const char* read_all = R"(
	mul.wide.s32 	%rd3, %r5, 4;
	add.s64 	%rd4, %rd1, %rd3;
	mov.u32 	%r10, 0;
$again:
	ld.global.f32 	%f1, [%rd4];
	add.s64 	%rd4, %rd4, 1024;
	add.s32 	%r10, %r10, 1;
	setp.lt.s32 	%p1, %r10, %r1;
	@%p1 bra 	$again;
	ret;)";

double megabytes_read_by_all(int megabytes, const Gpu& gpu, int blocks_of_sm) {
  const ProgramLaunch launch =
      launch_with({3 * blocks_of_sm * full.sms}, {256}, megabytes << 18, megabytes << 10);
  Residency residency = full;
  residency.blocks = blocks_of_sm;
  return traffic_of(read_all, launch, gpu, Caches::cold, residency).dram_read.value / mb;
}

TEST(MemoryTraffic, AMatrixThatFitsIsReadOnceAndALargerOneByEveryWave) {
  EXPECT_NEAR(megabytes_read_by_all(1, gpu_with(2 * mb, {8, 9}), 2), 1, 0.01);
  EXPECT_NEAR(megabytes_read_by_all(4, gpu_with(2 * mb, {8, 9}), 2), 3 * 4, 0.1);
  EXPECT_GT(megabytes_read_by_all(1, gpu_with(2 * mb, {9, 0}), 2), 1.5);  // a copy in each part
}

TEST(MemoryTraffic, TheOldestBlocksOfABusySmGoFirst) {
  EXPECT_NEAR(megabytes_read_by_all(4, gpu_with(2 * mb, {8, 9}), 8), 3 * 4 * 4, 0.5);
}

TEST(MemoryTraffic, BlocksSideBySideThatWaitForTheSameShareRequests) {
  const ProgramLaunch launch = launch_with({300}, {256}, 1 << 18, 1 << 10);
  const Residency one_block{.blocks = 1, .sms = 100, .l1_bytes = 1 << 17};
  const double asked_for = 300 * mb;
  EXPECT_NEAR(traffic_of(read_all, launch, one_part, Caches::cold, one_block).l2.value, asked_for, mb);
  constexpr double joined = 0.8 * (1 - 6 / 100.0);  // 6 GPCs ask once each for 100 SMs, four times of five
  EXPECT_NEAR(traffic_of(read_all, launch, two_parts, Caches::cold, one_block).l2.value,
              (1 - joined) * asked_for, 3 * mb);
}

}  // namespace
}  // namespace rooftile::ptx
