#include "kernels/worker/cuda/device.hpp"

#include <gmock/gmock.h>

#include "kernels/worker/fakes/fake_device.hpp"

namespace rooftile::worker {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

class DeviceTest : public FakeDeviceTest {};

TEST_F(DeviceTest, DescribesAGpuAsTheDriverKnowsIt) {
  const Device device(driver_, 0);
  const Gpu& gpu = device.gpu();
  EXPECT_EQ(gpu.name, "Fake GPU");
  EXPECT_EQ(gpu.cc, (ComputeCapability{9, 0}));
  EXPECT_EQ(gpu.sm_count, 4);
  EXPECT_EQ(gpu.l2_size, Bytes{65536});
  EXPECT_EQ(gpu.sm.warps, 64);
  EXPECT_EQ(gpu.source, "the driver");
  EXPECT_TRUE(gpu.quoted_peaks.empty()) << "the driver quotes no datasheet";
  EXPECT_EQ(device.pci_bus_id(), "0000:00:00.0");
}

TEST_F(DeviceTest, TakesWhatNoAttributeTellsFromTheArchitecture) {
  const struct {
    const char* cc;
    int sub_partitions, allocation_unit;
    std::size_t carveouts;
  } rows[] = {
      {"6.0", 2, 256, 1},
      {"7.5", 4, 256, 2},
      {"9.0", 4, 128, 10},
      {"13.4", 4, 128, 6},  // that nobody described: as the newest one before it
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.cc);
    is(row.cc);
    const SmLimits sm = Device(driver_, 0).gpu().sm;
    EXPECT_EQ(sm.sub_partitions, row.sub_partitions);
    EXPECT_EQ(sm.shared_allocation_unit, row.allocation_unit);
    EXPECT_EQ(sm.carveouts.size(), row.carveouts);
    EXPECT_EQ(sm.threads, 2048) << "the driver's own word";
  }
}

TEST_F(DeviceTest, AGpuThatIsNotThereIsNamed) {
  EXPECT_THAT([&] { Device(driver_, 3); },
              ThrowsMessage<Error>(HasSubstr("There is no GPU 3: the driver sees 1.")));
}

TEST_F(DeviceTest, AFailedCallIsNamedWithTheDriversWord) {
  for (const char* call : {"cuInit", "cuDeviceGetCount", "cuDevicePrimaryCtxRetain", "cuCtxSetCurrent"}) {
    fails(call, CUDA_ERROR_OPERATING_SYSTEM);
    EXPECT_THAT([&] { Device(driver_, 0); },
                ThrowsMessage<DriverError>(
                    HasSubstr("CUDA_ERROR_304 from " + std::string(call) + ": as the test wants it")));
  }
}

TEST_F(DeviceTest, ADriverTellsTheCudaVersionItServes) {
  EXPECT_EQ(driver_.version(), "13.0");
}

}  // namespace
}  // namespace rooftile::worker
