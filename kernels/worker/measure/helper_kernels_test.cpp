// The kernels around a launch, on the fake driver; the test states what the device would have found.
#include "kernels/worker/measure/helper_kernels.hpp"

#include <gmock/gmock.h>

#include <bit>
#include <cstring>

#include "analysis/platform/platform.hpp"
#include "kernels/worker/fakes/fake_device.hpp"
#include "kernels/worker/roofs/microbenchmark.hpp"

namespace rooftile::worker {
namespace {

using testing::Each;
using testing::ElementsAre;

// The struct as the device leaves it: fill_compare_evict.cu.
struct Found {
  unsigned largest = 0, shown = 0;
  unsigned long long first_bad = ~0ull;
  double result = 0, reference = 0;
  long long whole_result = 0, whole_reference = 0;
} found;

CUresult read_found(void* to, CUdeviceptr, std::size_t bytes) {
  std::memcpy(to, &found, std::min(bytes, sizeof found));
  return CUDA_SUCCESS;
}

std::size_t allocated = 0;
CUresult note_and_allocate(CUdeviceptr* pointer, std::size_t bytes) {
  allocated = std::max(allocated, bytes);
  *pointer = 256;
  return CUDA_SUCCESS;
}

class HelperKernelsTest : public FakeDeviceTest {
 protected:
  HelperKernelsTest() {
    found = {};
    allocated = 0;
    driver_.cuMemcpyDtoH = read_found;
    driver_.cuMemAlloc = note_and_allocate;
  }

  HelperKernels helpers() const { return {device_, compiler_, platform::data_directory() / "kernels"}; }
  Verification compared(Tolerance tolerance, const char* element = "float") {
    const DeviceMemory result(device_, 64), reference(device_, 64);
    return helpers().compare(result, reference, element, 8, tolerance);
  }

  const Device device_{driver_, 0};
  const Compiler compiler_{load_nvrtc().value(), testing::TempDir()};
};

TEST_F(HelperKernelsTest, WhatDiffersNowherePassesWithItsLargestError) {
  found.largest = std::bit_cast<unsigned>(2.5e-6f);
  const Verification verification = compared({1e-5, 0});
  EXPECT_TRUE(verification.passed);
  EXPECT_FLOAT_EQ(static_cast<float>(verification.largest_error), 2.5e-6f);
  EXPECT_EQ(verification.tolerance, 1e-5);
  EXPECT_EQ(verification.relative_tolerance, std::nullopt);
  EXPECT_EQ(verification.sentence, "");
}

TEST_F(HelperKernelsTest, TheFirstElementThatDiffersIsToldWithBothValues) {
  found.largest = std::bit_cast<unsigned>(0.5f);
  found.first_bad = 3;
  found.result = 1.5;
  found.reference = 1;
  const Verification verification = compared({1e-3, 0});
  EXPECT_FALSE(verification.passed);
  EXPECT_EQ(verification.largest_error, 0.5);
  EXPECT_EQ(verification.sentence, "element 3 is 1.5, the reference says 1 (tolerance 0.001)");
  const Verification relative = compared({1e-3, 1e-4});
  EXPECT_EQ(relative.sentence,
            "element 3 is 1.5, the reference says 1 (tolerance 0.001 and 0.0001 of the reference)");
  EXPECT_EQ(relative.relative_tolerance, 1e-4);
}

TEST_F(HelperKernelsTest, WholeNumbersAreToldWithAllTheirDigits) {
  found.first_bad = 3;
  found.result = found.reference = 0x1p62;
  found.whole_result = 1LL << 62;
  found.whole_reference = (1LL << 62) + 1;
  EXPECT_EQ(compared({}, "long_long").sentence,
            "element 3 is 4611686018427387904, the reference says 4611686018427387905 (tolerance 0)");
}

// Bit 0: not all equal, bit 1: not all zero; the reference's two bits further.
TEST_F(HelperKernelsTest, ZerosOrEqualElementsFailWhereTheReferenceHasOthers) {
  const struct {
    unsigned result, reference;
    bool passed;
  } rows[] = {{3, 3, true},  {3, 2, true},  {3, 0, true},  // it varies; the reference need not
              {2, 2, true},  {0, 0, true},  {2, 0, true},  // both are equal throughout
              {2, 3, false}, {0, 2, false}, {0, 3, false}};
  found.result = 7;
  found.reference = 2;
  for (const auto& row : rows) {
    found.shown = row.result | row.reference << 2;
    const Verification verification = compared({1e9, 0});
    EXPECT_EQ(verification.passed, row.passed) << row.result << ' ' << row.reference;
    EXPECT_EQ(verification.sentence,
              row.passed ? "" : "every element is 7, those of the reference are not (its first is 2)");
  }
}

TEST_F(HelperKernelsTest, OnlyAFailureIsLookedAtCloser) {
  compared({1e-3, 0});
  const std::size_t passing = fake_launches().size();
  fake_launches().clear();
  found.first_bad = 0;
  compared({1e-3, 0});
  EXPECT_EQ(fake_launches().size(), passing + 1);
  EXPECT_EQ(fake_launches().back(), (FakeLaunch{1, 1, 0, 0}));
}

TEST_F(HelperKernelsTest, FillsAndComparesWithTheWholeDevice) {
  HelperKernels helpers = this->helpers();
  const DeviceMemory memory(device_, 1024);
  for (const char* element : {"float", "double", "int", "unsigned char", "bfloat16", "fp8_e4m3"}) {
    fake_launches().clear();
    helpers.fill(memory, element, 64, {.below = 8, .skew = 0.5, .seed = 7});
    EXPECT_THAT(fake_launches(), ElementsAre(FakeLaunch{4 * 8, 256, 0, 0})) << element;
  }
}

TEST_F(HelperKernelsTest, EmptiesTheCachesWithTwiceL2) {
  HelperKernels helpers = this->helpers();
  EXPECT_EQ(allocated, 2u * 65536) << "the fake's L2 has 64 KiB";
  fake_launches().clear();
  helpers.empty_caches();
  helpers.empty_caches();
  EXPECT_THAT(fake_launches(), Each(FakeLaunch{4 * 4, 512, 0, 0}));
}

class MicrobenchmarkTest : public HelperKernelsTest {
 protected:
  const Microbenchmark bench_{device_, compiler_, platform::data_directory() / "kernels/worker/device_code"};
};

TEST_F(MicrobenchmarkTest, BlocksFillEverySm) {
  for (const int threads : {128, 256, 512, 1024}) {
    const Launch launch = bench_.whole_device(threads);
    EXPECT_EQ(launch.block.x, threads);
    EXPECT_EQ(thread_count(launch), 4 * 2048) << threads;
  }
}

// A launch of the fake takes 1 ms, however many rounds it has.
TEST_F(MicrobenchmarkTest, ManyLaunchesTakeTheSameEach) {
  const Kernel kernel(device_, "cubin", "any");
  const Launch launch = bench_.whole_device(256);
  EXPECT_NEAR(bench_.fastest(kernel, launch, {}).value, 1e-3, 1e-6);
  EXPECT_NEAR(bench_.rounds_per_second(kernel, launch, {}), 32 / 1e-3, 500);
  EXPECT_NEAR(bench_.sustained_rounds_per_second(kernel, launch, {}), 32 / 1e-3, 500);
  fake_launches().clear();
  bench_.sustained_rounds_per_second(kernel, launch, {});
  EXPECT_EQ(fake_launches().size(), 2 + 250u) << "a quarter of a second, behind each other";
}

}  // namespace
}  // namespace rooftile::worker
