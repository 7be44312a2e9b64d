#include "kernels/worker/cuda/resources.hpp"

#include <gmock/gmock.h>

#include "kernels/worker/cuda/tensor_map.hpp"
#include "kernels/worker/fakes/fake_device.hpp"

namespace rooftile::worker {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

class ResourcesTest : public FakeDeviceTest {
 protected:
  void launch(const Launch& launch) {
    Arguments none;
    Kernel(device_, "cubin", "mine").launch(launch, none);
  }

  const Device device_{driver_, 0};
};

TEST_F(ResourcesTest, AFullGpuIsToldWithWhatWasAskedForAndWhatIsFree) {
  fails("cuMemAlloc", CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_THAT(
      [&] { DeviceMemory(device_, 4'000'000'000); },
      ThrowsMessage<Error>(AllOf(HasSubstr("no room for a buffer of 4.00 GB"), HasSubstr("smaller size"))));
}

TEST_F(ResourcesTest, MemoryMovesWithItsOwner) {
  DeviceMemory memory(device_, 64);
  const CUdeviceptr pointer = memory.pointer();
  const DeviceMemory other = std::move(memory);
  EXPECT_EQ(other.pointer(), pointer);
  EXPECT_EQ(other.bytes(), 64);
  EXPECT_EQ(memory.pointer(), 0);
}

TEST_F(ResourcesTest, CodeThatTheDriverDoesNotTakeIsToldAndCostsNoDevice) {
  for (const CUresult error : {CUDA_ERROR_INVALID_IMAGE, CUDA_ERROR_NO_BINARY_FOR_GPU}) {
    fails("cuModuleLoadData", error);
    try {
      launch({});
      ADD_FAILURE() << error;
    } catch (const DriverError&) {
      ADD_FAILURE() << "which would end the worker";
    } catch (const Error& refused) {
      EXPECT_THAT(refused.what(), HasSubstr("mine: it is damaged, or was compiled for another GPU"));
    }
  }
}

TEST_F(ResourcesTest, ALaunchHasTheShapeThatWasAskedFor) {
  launch({.grid = {7}, .block = {96}, .dynamic_shared_bytes = 1024});
  launch({.grid = {8}, .block = {64}, .dynamic_shared_bytes = 0, .cluster = {2}});
  EXPECT_THAT(fake_launches(), ElementsAre(FakeLaunch{7, 96, 1024, 0}, FakeLaunch{8, 64, 0, 2}));
}

// A kernel keeps the last one, and launches that differ in it share the kernel.
TEST_F(ResourcesTest, EachLaunchHasTheCarveoutThatItPrefers) {
  static std::vector<std::pair<CUfunction_attribute, int>> asked;
  asked.clear();
  driver_.cuFuncSetAttribute = [](CUfunction, CUfunction_attribute attribute, int value) {
    asked.emplace_back(attribute, value);
    return CUDA_SUCCESS;
  };
  const Kernel kernel(device_, "cubin", "mine");
  for (const std::optional<int> percent : {std::optional<int>(), {0}, {0}, {100}, {}}) {
    Arguments none;
    kernel.launch({.grid = {1}, .block = {32}, .carveout_percent = percent}, none);
  }
  constexpr auto carveout = CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT;
  EXPECT_THAT(asked, ElementsAre(std::pair(carveout, 0), std::pair(carveout, 100),
                                 std::pair(carveout, int{CU_SHAREDMEM_CARVEOUT_DEFAULT})));
}

TEST_F(ResourcesTest, MoreSharedMemoryThanTheDeviceHasIsRefused) {
  fails("cuFuncSetAttribute", CUDA_ERROR_INVALID_VALUE);
  EXPECT_THAT([&] { launch({.grid = {1}, .block = {32}, .dynamic_shared_bytes = 1 << 20}); },
              ThrowsMessage<DriverError>(HasSubstr("MAX_DYNAMIC_SHARED_SIZE_BYTES")));
  EXPECT_NO_THROW(launch({})) << "nothing beyond the default limit is asked for";
}

TEST_F(ResourcesTest, AClusterWithoutRoomIsToldWithItsSize) {
  fails("cuLaunchKernelEx", CUDA_ERROR_INVALID_CLUSTER_SIZE);
  EXPECT_THAT([&] { launch({.grid = {16}, .block = {32}, .cluster = {16}}); },
              ThrowsMessage<Error>(HasSubstr("no room for a cluster of 16 such blocks")));
}

TEST_F(ResourcesTest, ACooperativeLaunchWithoutRoomIsToldWithItsBlocks) {
  fails("cuLaunchKernelEx", CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
  EXPECT_THAT([&] { launch({.grid = {5000}, .block = {32}, .cooperative = true}); },
              ThrowsMessage<Error>(HasSubstr("A cooperative launch of 5,000 blocks")));
}

TEST_F(ResourcesTest, AKernelThatTheCubinLacksIsNamed) {
  fails("cuModuleGetFunction", CUDA_ERROR_NOT_FOUND);
  EXPECT_THAT([&] { launch({}); }, ThrowsMessage<Error>(HasSubstr("no kernel named mine")));
}

TEST_F(ResourcesTest, EventsTakeTheTimeOfTheLaunchesBetweenThem) {
  const Event begin(device_), end(device_);
  begin.record();
  launch({});
  launch({});
  end.record();
  EXPECT_NEAR(end.since(begin).value, 2e-3, 1e-6) << "a launch of the fake takes 1 ms";
}

TEST_F(ResourcesTest, ArgumentsKeepTheirValuesInOrder) {
  Arguments arguments, more;
  arguments.add(7);
  more.add(2.5);
  arguments.append(more);
  const std::vector<void*> pointers = arguments.pointers();
  ASSERT_EQ(pointers.size(), 2);
  EXPECT_EQ(*static_cast<int*>(pointers[0]), 7);
  EXPECT_EQ(*static_cast<double*>(pointers[1]), 2.5);
}

TEST_F(ResourcesTest, ABoxThatTmaCannotCopyIsToldWithItsSizes) {
  fails("cuTensorMapEncodeTiled", CUDA_ERROR_INVALID_VALUE);
  const auto number = [](const char* text) { return Expression(text, {}); };
  TensorMap map;
  map.rows = map.columns = number("64");
  map.row_stride = number("63");
  map.box_rows = number("16");
  map.box_columns = number("32");
  Buffer buffer;
  buffer.name = "A";
  EXPECT_THAT([&] { encode(driver_, map, buffer, 256, {}); },
              ThrowsMessage<Error>(HasSubstr("boxes of 16 x 32 from A, whose rows start every 252 bytes")));
}

}  // namespace
}  // namespace rooftile::worker
