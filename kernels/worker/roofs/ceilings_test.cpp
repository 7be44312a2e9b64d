#include "kernels/worker/roofs/ceilings.hpp"

#include <gmock/gmock.h>

#include "analysis/platform/platform.hpp"
#include "kernels/worker/fakes/fake_device.hpp"
#include "kernels/worker/roofs/compute_ceilings.hpp"
#include "kernels/worker/roofs/memory_ceilings.hpp"
#include "kernels/worker/roofs/paces.hpp"

namespace rooftile::worker {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::Not;

class CeilingsTest : public FakeDeviceTest {
 protected:
  CeilingsTest() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~CeilingsTest() override { fs::remove_all(folder_); }

  Ceilings ceilings() const { return {device_, compiler_, platform::data_directory() / "kernels", folder_}; }

  const fs::path folder_ =
      fs::path(testing::TempDir()) /
      (std::string("rooftile_ceilings_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  const Device device_{driver_, 0};
  const Compiler compiler_{load_nvrtc().value(), testing::TempDir()};
};

// A launch of the fake takes 1 ms, whatever it does: 32 rounds, each of 64 multiply-adds of 4 x 2048 threads.
TEST_F(CeilingsTest, AComputeRoofIsTheOperationsOfAllThreadsInAShortRun) {
  Ceilings roofs = ceilings();
  roofs.measure(fp32_pipe);
  const ComputeRoof* roof = roofs.roofs().find(fp32_pipe);
  ASSERT_NE(roof, nullptr);
  EXPECT_NEAR(roof->peak.value / (32 / 1e-3 * 64 * 2 * 4 * 2048), 1, 0.01);
  EXPECT_EQ(roof->origin, Origin::measured);
}

TEST_F(CeilingsTest, AMemoryRoofIsTheBytesOfAllThreadsInAShortRun) {
  const Microbenchmark bench(device_, compiler_, platform::data_directory() / "kernels/worker/device_code");
  const MemoryRoof roof = memory_ceiling(bench, MemoryLevel::l1);
  EXPECT_NEAR(roof.bandwidth.value / (32 / 1e-3 * 8 * 16 * 4 * 2048), 1, 0.01);
}

// Eight loads a round wait for each other.
TEST_F(CeilingsTest, APaceIsTheTimeOfALoadABlockOrALane) {
  const Microbenchmark bench(device_, compiler_, platform::data_directory() / "kernels/worker/device_code");
  const double clock = device_.gpu().boost_clock.value;
  for (const Pace pace : {Pace::l1_load, Pace::l2_load, Pace::dram_load}) {
    const PaceFigure figure = measured_pace(bench, pace);
    EXPECT_NEAR(figure.cycles / (1e-3 / 32 / 8 * clock), 1, 0.01) << key(pace);
    EXPECT_EQ(figure.origin, Origin::measured);
  }
  const double step = 1e-3 / 32 / 8 * clock;
  const struct {
    Pace pace;
    double lanes;  // of a step
  } rows[] = {{Pace::cluster_barrier, 1},
              {Pace::l2_atomic, 2048},
              {Pace::l2_atomic_of_one_word, 4 * 2048},
              {Pace::remote_atomic, 1024},
              {Pace::remote_atomic_of_one_word, 7 * 1024}};
  for (const auto& row : rows) {
    EXPECT_NEAR(measured_pace(bench, row.pace).cycles * row.lanes / step, 1, 0.01) << key(row.pace);
  }
  EXPECT_NEAR(measured_pace(bench, Pace::block_start).cycles / (1e-3 / (1 << 18) * clock), 1, 0.01);
}

TEST_F(CeilingsTest, WhatWasMeasuredIsKeptForTheNextStart) {
  Ceilings first = ceilings();
  const int all = first.left();
  first.measure(fp32_pipe);
  first.measure(fp32_pipe);
  EXPECT_EQ(first.left(), all - 1);
  Ceilings second = ceilings();
  EXPECT_EQ(second.left(), all - 1);
  EXPECT_FALSE(second.is_left(fp32_pipe));
  second.forget();
  EXPECT_EQ(second.left(), all);
}

TEST_F(CeilingsTest, MeasuresMemoryBeforePipesUntilNothingIsLeft) {
  Ceilings roofs = ceilings();
  roofs.measure_next();
  EXPECT_EQ(roofs.roofs().memory.size(), 1);
  roofs.measure_memory();
  EXPECT_EQ(roofs.roofs().memory.size(), memory_levels.size());
  EXPECT_TRUE(roofs.roofs().compute.empty());
  while (roofs.left() > 0) {
    roofs.measure_next();
  }
  EXPECT_EQ(roofs.roofs().compute.size(), measurable_pipes(device_.gpu()).size());
}

TEST_F(CeilingsTest, ARoofThatCannotBeMeasuredIsMissingAndToldOnce) {
  Ceilings roofs = ceilings();
  fails("cuLaunchKernelEx", CUDA_ERROR_INVALID_CLUSTER_SIZE);
  roofs.measure_memory();
  EXPECT_THAT(roofs.roofs().memory, testing::IsEmpty());
  EXPECT_THAT(roofs.missing(), testing::SizeIs(memory_levels.size()));
  EXPECT_THAT(roofs.missing(), Contains(testing::StartsWith("The roof DRAM could not be measured: ")));
  roofs.measure(fp32_pipe);
  EXPECT_FALSE(roofs.is_left(fp32_pipe)) << "it is not tried again";
  unsetenv("FAKE_DRIVER");
  while (roofs.left() > 0) {
    roofs.measure_next();
  }
  EXPECT_EQ(roofs.roofs().compute.size(), measurable_pipes(device_.gpu()).size() - 1) << "the others are there";
  EXPECT_EQ(roofs.roofs().paces.size(), all_paces.size());
  roofs.forget();
  EXPECT_THAT(roofs.missing(), testing::IsEmpty());
}

TEST_F(CeilingsTest, ADeviceThatFailsIsNoMissingRoof) {
  Ceilings roofs = ceilings();
  fails("cuEventSynchronize", CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_THROW(roofs.measure_memory(), DriverError);
}

TEST_F(CeilingsTest, OnlyWhatTheArchitectureHasIsMeasured) {
  const auto gpu = [](ComputeCapability cc) {
    Gpu of_it;
    of_it.cc = cc;
    return of_it;
  };
  EXPECT_THAT(measurable_levels(gpu({9, 0})), Contains(MemoryLevel::distributed));
  EXPECT_THAT(measurable_levels(gpu({8, 9})), Not(Contains(MemoryLevel::distributed)));
  EXPECT_THAT(measurable_paces(gpu({9, 0})), Contains(Pace::remote_atomic));
  EXPECT_THAT(measurable_paces(gpu({8, 9})), Not(Contains(Pace::remote_atomic)));
  EXPECT_THAT(measurable_pipes(gpu({9, 0})), Contains(bf16_tensor_pipe));
  EXPECT_THAT(measurable_pipes(gpu({10, 0})), Not(Contains(bf16_tensor_pipe)))
      << "mma.sync would pass for the roof of tcgen05";
}

}  // namespace
}  // namespace rooftile::worker
