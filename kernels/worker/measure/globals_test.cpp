// Variables of a cubin that NVRTC made, filled on the fake driver.
#include "kernels/worker/measure/globals.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "analysis/platform/platform.hpp"
#include "analysis/platform/run_program.hpp"
#include "kernels/worker/compile/kernel_parameters.hpp"
#include "kernels/worker/fakes/fake_device.hpp"
#include "kernels/worker/test_array.hpp"

namespace rooftile::worker {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Optional;
using testing::StartsWith;
using testing::UnorderedElementsAre;

constexpr const char* variables_source = R"(
__constant__ float table[16];
__constant__ int known[4] = {1, 2, 3, 4};
namespace ours { __device__ unsigned counter; }
extern "C" __global__ void mine(float* out) {
  out[0] = table[threadIdx.x] + known[threadIdx.x & 3] + atomicAdd(&ours::counter, 1);
}
)";

std::vector<std::string> driver_calls;

CUresult give_variable(CUdeviceptr* pointer, std::size_t* bytes, CUmodule, const char* name) {
  driver_calls.push_back(name);
  *bytes = 64;
  *pointer = 0x7000;
  return CUDA_SUCCESS;
}
CUresult note_copy_to_variable(CUdeviceptr to, CUdeviceptr, std::size_t bytes, CUstream) {
  driver_calls.push_back("copy to " + std::to_string(to) + ": " + std::to_string(bytes));
  return CUDA_SUCCESS;
}
CUresult note_write_of_values(CUdeviceptr, const void* from, std::size_t bytes) {
  driver_calls.push_back("write " + std::to_string(bytes) + " from " +
                         std::to_string(*static_cast<const float*>(from)));
  return CUDA_SUCCESS;
}

class GlobalsTest : public FakeDeviceTest {
 protected:
  GlobalsTest() {
    driver_.cuModuleGetGlobal = give_variable;
    driver_.cuMemcpyDtoDAsync = note_copy_to_variable;
    std::ofstream(folder_.path() / "mine.cu") << variables_source;
    binary_ = compiler_.compile(folder_.path() / "mine.cu", "mine", {}, device_.gpu().cc);
  }

  static Manifest manifest(const std::string& name, FillKind fill, const std::string& element = "float") {
    Manifest manifest;
    Buffer& global = manifest.globals.emplace_back();
    global.name = name;
    global.fill = fill;
    global.element = element;
    global.value = Expression("N / 2", {"N"});
    return manifest;
  }
  Globals globals(const Manifest& manifest) {
    const Kernel kernel(device_, binary_.cubin, binary_.symbol);
    driver_calls.clear();
    return {device_, kernel, binary_.cubin, helpers_, manifest, {{"N", 8}}};
  }

  const platform::TemporaryFolder folder_;
  const Device device_{driver_, 0};
  const Compiler compiler_{load_nvrtc().value(), testing::TempDir()};
  HelperKernels helpers_{device_, compiler_, platform::data_directory() / "kernels"};
  Binary binary_;
};

TEST_F(GlobalsTest, TheCubinHasVariablesWithTheirNames) {
  std::vector<std::string> names;
  for (const CubinVariable& each : variables_in(binary_.cubin)) {
    names.push_back(each.name + " " + std::to_string(each.bytes) + (each.is_zero ? " zeros" : ""));
  }
  EXPECT_THAT(names, UnorderedElementsAre("table 64 zeros", "known 16", "ours::counter 4 zeros"));
  EXPECT_THAT(variables_in("no cubin"), IsEmpty());
}

TEST_F(GlobalsTest, AVariableIsFilledBeforeEachLaunch) {
  const Globals made = globals(manifest("ours::counter", FillKind::constant));
  EXPECT_THAT(driver_calls, ElementsAre("_ZN4ours7counterE"));
  EXPECT_EQ(fake_launches().size(), 1u) << "which makes the values";
  made.fill();
  made.fill();
  EXPECT_THAT(driver_calls, ElementsAre("_ZN4ours7counterE", "copy to 28672: 64", "copy to 28672: 64"));
}

TEST_F(GlobalsTest, AVariableThatIsLeftOrMissingIsNotTouched) {
  globals(manifest("table", FillKind::none)).fill();
  globals(manifest("tabel", FillKind::random)).fill();
  Globals().fill();
  EXPECT_THAT(driver_calls, IsEmpty());
}

TEST_F(GlobalsTest, AFileIsItsContent) {
  driver_.cuMemcpyHtoD = note_write_of_values;
  const Device device(driver_, 0);
  write_array(folder_.path() / "table.npy", std::vector<float>(16, 1.5F));
  Manifest of_file = manifest("table", FillKind::random);
  of_file.globals[0].file = folder_.path() / "table.npy";
  const Kernel kernel(device, binary_.cubin, binary_.symbol);
  driver_calls.clear();
  const Globals made(device, kernel, binary_.cubin, helpers_, of_file, {});
  EXPECT_THAT(driver_calls, ElementsAre("table", "write 64 from 1.500000"));
}

TEST_F(GlobalsTest, WhatCannotBeFilledIsRefusedBeforeALaunch) {
  const auto told = [&](const char* name, const char* element, int bytes) {
    Manifest of_one = manifest(name, FillKind::random, element);
    of_one.globals[0].element_bytes = bytes;
    return why_not_filled(of_one.globals, binary_.cubin, "mine");
  };
  EXPECT_EQ(told("table", "float", 4), std::nullopt);
  EXPECT_THAT(told("tabel", "float", 4),
              Optional(HasSubstr("variable tabel that is in use; the nearest is table.")));
  EXPECT_THAT(told("ours::counter", "double", 8),
              Optional(HasSubstr("4 bytes holds no whole number of double")));
}

TEST_F(GlobalsTest, VariablesThatStayZerosAreTold) {
  EXPECT_THAT(unfilled_sentence(binary_.cubin, Manifest{}, variables_source),
              StartsWith("Zeros, since no [[global]] of kernel.toml fills these variables: "));
  EXPECT_EQ(unfilled_sentence(binary_.cubin, manifest("table", FillKind::random), variables_source),
            "Zeros, since no [[global]] of kernel.toml fills this variable: ours::counter.");
  EXPECT_EQ(unfilled_sentence(binary_.cubin, Manifest{}, "no such text"), "") << "variables of others";
}

}  // namespace
}  // namespace rooftile::worker
