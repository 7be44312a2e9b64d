// cuBLAS on the processor, for tests: multiplies what the pointers name; those of the fake driver name nothing.
// FAKE_CUBLAS=cublasGemmEx=13 lets a call fail with that status.
#include "kernels/worker/fakes/fake_cublas.hpp"

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

constexpr int bfloat16_type = 14;
constexpr std::uintptr_t least_real_pointer = 4096;

FakeGemm last;
int handles = 0;

int answer(const char* call) {
  const char* rule = std::getenv("FAKE_CUBLAS");
  const std::string start = std::string(call) + "=";
  return rule && std::strncmp(rule, start.c_str(), start.size()) == 0 ? std::atoi(rule + start.size()) : 0;
}

float element(const void* matrix, int type, int place) {
  if (type == bfloat16_type) {
    const std::uint32_t bits = static_cast<const std::uint16_t*>(matrix)[place];
    return std::bit_cast<float>(bits << 16);
  }
  return static_cast<const float*>(matrix)[place];
}

// cuBLAS has matrices column by column.
void multiply(const FakeGemm& of, const void* a, const void* b, float* c) {
  for (int column = 0; column < of.n; ++column) {
    for (int row = 0; row < of.m; ++row) {
      float sum = 0;
      for (int i = 0; i < of.k; ++i) {
        sum += element(a, of.type_a, row + i * of.lda) * element(b, of.type_b, i + column * of.ldb);
      }
      float& place = c[row + column * of.ldc];
      place = of.alpha * sum + (of.beta == 0 ? 0 : of.beta * place);
    }
  }
}

}  // namespace

extern "C" {
int cublasCreate_v2(void** handle);
int cublasDestroy_v2(void* handle);
const char* cublasGetStatusString(int status);
int cublasGemmEx(void* handle, int op_a, int op_b, int m, int n, int k, const void* alpha, const void* a,
                 int type_a, int lda, const void* b, int type_b, int ldb, const void* beta, void* c, int type_c,
                 int ldc, int compute, int algorithm);

const FakeGemm* fake_last_gemm() {
  return &last;
}
int fake_cublas_handles() {
  return handles;
}
int cublasCreate_v2(void** handle) {
  const int status = answer("cublasCreate_v2");
  handles += status == 0 ? 1 : 0;
  *handle = &handles;
  return status;
}
int cublasDestroy_v2(void*) {
  --handles;
  return 0;
}
const char* cublasGetStatusString(int) {
  return "CUBLAS_STATUS_AS_THE_TEST_WANTS_IT";
}
int cublasGemmEx(void*, int op_a, int op_b, int m, int n, int k, const void* alpha, const void* a, int type_a,
                 int lda, const void* b, int type_b, int ldb, const void* beta, void* c, int, int ldc,
                 int compute, int) {
  last = {m,
          n,
          k,
          lda,
          ldb,
          ldc,
          type_a,
          type_b,
          compute,
          *static_cast<const float*>(alpha),
          *static_cast<const float*>(beta)};
  if (op_a == 0 && op_b == 0 && reinterpret_cast<std::uintptr_t>(c) >= least_real_pointer) {
    multiply(last, a, b, static_cast<float*>(c));
  }
  return answer("cublasGemmEx");
}
}
