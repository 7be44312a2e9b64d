// The call to the vendor's library, answered by a fake that multiplies on the processor.
#include "kernels/worker/cuda/cublas.hpp"

#include <gmock/gmock.h>

#include <bit>
#include <cstdlib>
#include <vector>

#include "analysis/chip/pipe.hpp"
#include "analysis/platform/platform.hpp"
#include "analysis/text/error.hpp"
#include "kernels/worker/fakes/fake_cublas.hpp"

namespace rooftile::worker {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

class CublasTest : public testing::Test {
 protected:
  CublasTest() { setenv("CUDA_HOME", FAKES "/cuda", 1); }
  ~CublasTest() override {
    unsetenv("CUDA_HOME");
    unsetenv("FAKE_CUBLAS");
  }

  template <class Function>
  Function* fake(const char* name) const {
    return reinterpret_cast<Function*>(library_->symbol(name));
  }
  FakeGemm last() const { return *fake<const FakeGemm*()>("fake_last_gemm")(); }

 private:
  std::optional<platform::DynamicLibrary> library_ =
      platform::DynamicLibrary::open({FAKES "/cuda/lib64/libcublas.so.13"});
};

template <class T>
CUdeviceptr pointer(std::vector<T>& matrix) {
  return reinterpret_cast<CUdeviceptr>(matrix.data());
}

// A is 2 x 3, B is 3 x 4: none of the sizes can stand for another.
Gemm two_by_four() {
  Gemm gemm;
  gemm.pipe = fp32_pipe;
  gemm.element = "float";
  gemm.m = 2;
  gemm.n = 4;
  gemm.k = 3;
  gemm.lda = 3;
  gemm.ldb = gemm.ldc = 4;
  return gemm;
}

TEST_F(CublasTest, MultipliesMatricesThatStandInRows) {
  std::vector<float> a = {1, 2, 3, 4, 5, 6}, b = {1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1}, c(8, 100);
  Gemm gemm = two_by_four();
  gemm.a = pointer(a), gemm.b = pointer(b), gemm.c = pointer(c);
  Cublas().multiply(gemm);
  EXPECT_THAT(c, ElementsAre(1, 2, 3, 6, 4, 5, 6, 15));
}

TEST_F(CublasTest, ScalesTheProductAndAddsToWhatWasThere) {
  std::vector<float> a = {1, 2, 3, 4, 5, 6}, b = {1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1}, c(8, 100);
  Gemm gemm = two_by_four();
  gemm.a = pointer(a), gemm.b = pointer(b), gemm.c = pointer(c);
  gemm.alpha = 2;
  gemm.beta = 0.5;
  Cublas().multiply(gemm);
  EXPECT_THAT(c, ElementsAre(52, 54, 56, 62, 58, 60, 62, 80));
}

TEST_F(CublasTest, LeavesWhatStandsBetweenTheRows) {
  std::vector<float> a = {1, 2, 3, -9, 4, 5, 6, -9}, c(10, 7);
  std::vector<float> b = {1, 0, 0, 1, -9, 0, 1, 0, 1, -9, 0, 0, 1, 1, -9};
  Gemm gemm = two_by_four();
  gemm.a = pointer(a), gemm.b = pointer(b), gemm.c = pointer(c);
  gemm.lda = 4;
  gemm.ldb = gemm.ldc = 5;
  Cublas().multiply(gemm);
  EXPECT_THAT(c, ElementsAre(1, 2, 3, 6, 7, 4, 5, 6, 15, 7));
}

TEST_F(CublasTest, TakesBfloat16InputsAndGivesFloats) {
  const auto half = [](float value) {
    return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
  };
  std::vector<std::uint16_t> a = {half(1.5f), half(2)}, b = {half(4), half(-8)};
  std::vector<float> c(1);
  Gemm gemm{bf16_tensor_pipe, "bfloat16", pointer(a), pointer(b), pointer(c), 1, 1, 2, 2, 1, 1, 1, 0};
  Cublas().multiply(gemm);
  EXPECT_THAT(c, ElementsAre(-10));
}

// The numbers of cublas_api.h and library_types.h.
TEST_F(CublasTest, ComputesOnThePipeThatWasAskedFor) {
  const struct {
    const char *pipe, *element;
    int type, compute;
  } rows[] = {
      {fp32_pipe, "float", 0, 69},  // pedantic: never on tensor cores
      {tf32_tensor_pipe, "float", 0, 77},
      {bf16_tensor_pipe, "bfloat16", 14, 68},
  };
  for (const auto& row : rows) {
    Gemm gemm = two_by_four();
    gemm.pipe = row.pipe;
    gemm.element = row.element;
    Cublas().multiply(gemm);
    EXPECT_EQ(last().compute, row.compute) << row.pipe;
    EXPECT_EQ(last().type_a, row.type) << row.pipe;
    EXPECT_EQ(last().type_b, row.type) << row.pipe;
    EXPECT_THAT((std::vector{last().m, last().n, last().k}), ElementsAre(4, 2, 3)) << "C^T = B^T A^T";
  }
  Gemm ordinary = two_by_four();
  ordinary.pedantic = false;
  Cublas().multiply(ordinary);
  EXPECT_EQ(last().compute, 68);
}

TEST_F(CublasTest, GivesItsHandleBack) {
  const auto handles = [&] { return fake<int()>("fake_cublas_handles")(); };
  {
    const Cublas one;
    EXPECT_EQ(handles(), 1);
  }
  EXPECT_EQ(handles(), 0);
}

TEST_F(CublasTest, AFailedCallIsNamedWithItsWordAndItsFile) {
  setenv("FAKE_CUBLAS", "cublasGemmEx=13", 1);
  const Cublas cublas;
  EXPECT_THAT([&] { cublas.multiply(two_by_four()); },
              ThrowsMessage<Error>(AllOf(HasSubstr("cublasGemmEx failed: CUBLAS_STATUS_AS_THE_TEST_WANTS_IT ("),
                                         HasSubstr("libcublas.so.13)"))));
  setenv("FAKE_CUBLAS", "cublasCreate_v2=1", 1);
  EXPECT_THAT([] { Cublas(); }, ThrowsMessage<Error>(HasSubstr("cublasCreate failed: CUBLAS_STATUS_")));
}

TEST_F(CublasTest, OneWithoutItsFunctionsIsTooOld) {
  setenv("CUDA_HOME", FAKES "/old", 1);
  EXPECT_THAT(
      [] { Cublas(); },
      ThrowsMessage<Error>(HasSubstr("libcublas.so.13 has no cublasCreate_v2: CUDA 12.6 or later is needed.")));
}

}  // namespace
}  // namespace rooftile::worker
