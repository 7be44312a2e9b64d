// The call to the vendor's library for FP8, answered by a fake that multiplies on the processor.
#include "kernels/worker/cuda/cublas_lt.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <vector>

#include "analysis/chip/pipe.hpp"
#include "analysis/platform/platform.hpp"
#include "analysis/text/error.hpp"
#include "kernels/worker/fakes/fake_cublas_lt.hpp"
#include "kernels/worker/fakes/fake_device.hpp"

namespace rooftile::worker {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

// The bits of small numbers in FP8.
constexpr unsigned char zero = 0, one = 0x38, two = 0x40, three = 0x44, minus_four = 0xc8;

class CublasLtTest : public FakeDeviceTest {
 protected:
  CublasLtTest() { setenv("CUDA_HOME", FAKES "/cuda", 1); }
  ~CublasLtTest() override {
    unsetenv("CUDA_HOME");
    unsetenv("FAKE_CUBLAS");
  }

  const FakeLt& seen() const { return *reinterpret_cast<const FakeLt* (*)()>(library_->symbol("fake_lt"))(); }

  // A is 1 x 2, B 3 x 2 and C 1 x 3, with a number between the rows of A and of B.
  Gemm gemm() {
    const auto pointer = [](auto& matrix) { return reinterpret_cast<CUdeviceptr>(matrix.data()); };
    return {fp8_tensor_pipe, "fp8_e4m3", pointer(a_), pointer(b_), pointer(c_), 1, 3, 2, 3, 3, 3, 2, 0.5};
  }

  const Device device_{driver_, 0};
  std::vector<unsigned char> a_ = {one, two, one},
                             b_ = {one, zero, two, zero, three, two, minus_four, one, two};
  std::vector<float> c_ = {10, 20, 30};

 private:
  std::optional<platform::DynamicLibrary> library_ =
      platform::DynamicLibrary::open({FAKES "/cuda/lib64/libcublasLt.so.13"});
};

TEST_F(CublasLtTest, MultipliesByRowsOfBothMatrices) {
  CublasLt(device_).multiply(gemm());
  EXPECT_THAT(c_, ElementsAre(2 * 1 + 5, 2 * 6 + 10, 2 * (-4 + 2) + 15));
}

TEST_F(CublasLtTest, ChoosesOnceForEachProduct) {
  CublasLt library(device_);
  const int before = seen().choices;
  Gemm other = gemm();
  library.multiply(other);
  library.multiply(other);
  EXPECT_EQ(seen().choices, before + 1);
  other.k = 1;
  library.multiply(other);
  EXPECT_EQ(seen().choices, before + 2);
}

TEST_F(CublasLtTest, GivesItsDescriptionsBack) {
  {
    CublasLt library(device_);
    library.multiply(gemm());
    EXPECT_EQ(seen().descriptions, 4);
  }
  EXPECT_EQ(seen().descriptions, 0);
}

TEST_F(CublasLtTest, AFailedCallIsNamedAndLeavesNothing) {
  for (const char* call : {"cublasLtMatmulAlgoGetHeuristic", "cublasLtMatmul"}) {
    setenv("FAKE_CUBLAS", (std::string(call) + "=15").c_str(), 1);
    EXPECT_THAT([&] { CublasLt(device_).multiply(gemm()); },
                ThrowsMessage<Error>(AllOf(HasSubstr(std::string(call) + " failed: CUBLAS_STATUS_AS_THE_TEST"),
                                           HasSubstr("libcublasLt.so.13)"))));
    EXPECT_EQ(seen().descriptions, 0) << call;
  }
}

TEST_F(CublasLtTest, AProductThatItCannotComputeIsTold) {
  setenv("FAKE_CUBLAS", "no_choice=1", 1);
  EXPECT_THAT([&] { CublasLt(device_).multiply(gemm()); },
              ThrowsMessage<Error>(HasSubstr("cuBLASLt knows no way to multiply")));
  EXPECT_EQ(seen().descriptions, 0);
}

TEST_F(CublasLtTest, OneWithoutItsFunctionsIsTooOld) {
  setenv("CUDA_HOME", FAKES "/old", 1);
  EXPECT_THAT([&] { CublasLt{device_}; },
              ThrowsMessage<Error>(HasSubstr("libcublasLt.so.13 has no cublasLtCreate: CUDA 12.6 or later")));
}

}  // namespace
}  // namespace rooftile::worker
