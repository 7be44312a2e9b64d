// cuBLASLt on the processor, for tests: multiplies FP8 of the first matrix, transposed, and the second.
// FAKE_CUBLAS=cublasLtMatmul=13 lets a call fail with that status; FAKE_CUBLAS=no_choice=1: it knows no way
// to multiply.
#include "kernels/worker/fakes/fake_cublas_lt.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

constexpr int transpose_a = 3, fast_accumulation = 25, e4m3_type = 28;

struct Product {
  int transpose_a = 0, fast = 0;
};
struct Matrix {
  int type;
  std::uint64_t rows, columns;
  std::int64_t stride;
};

FakeLt seen;

int answer(const char* call) {
  const char* rule = std::getenv("FAKE_CUBLAS");
  const std::string start = std::string(call) + "=";
  return rule && std::strncmp(rule, start.c_str(), start.size()) == 0 ? std::atoi(rule + start.size()) : 0;
}

template <class T>
int make(void** made, T* what) {
  *made = what;
  ++seen.descriptions;
  return 0;
}
template <class T>
int drop(void* what) {
  delete static_cast<T*>(what);
  --seen.descriptions;
  return 0;
}

float element(const void* data, const Matrix& matrix, std::uint64_t row, std::uint64_t column) {
  const auto at = row + column * static_cast<std::uint64_t>(matrix.stride);
  const unsigned bits = static_cast<const unsigned char*>(data)[at];
  const int exponent = static_cast<int>(bits >> 3 & 15), digits = static_cast<int>(bits & 7);
  const float size =
      std::ldexp(static_cast<float>(exponent == 0 ? digits : digits + 8), std::max(exponent, 1) - 10);
  return bits & 128 ? -size : size;
}

}  // namespace

extern "C" {
const FakeLt* fake_lt() {
  return &seen;
}
int cublasLtCreate(void** handle) {
  *handle = &seen;
  return answer("cublasLtCreate");
}
int cublasLtDestroy(void*) {
  return 0;
}
const char* cublasLtGetStatusString(int) {
  return "CUBLAS_STATUS_AS_THE_TEST_WANTS_IT";
}
int cublasLtMatmulDescCreate(void** made, int, int) {
  return make(made, new Product);
}
int cublasLtMatmulDescDestroy(void* product) {
  return drop<Product>(product);
}
int cublasLtMatmulDescSetAttribute(void* product, int attribute, const void* value, std::size_t) {
  auto& of = *static_cast<Product*>(product);
  if (attribute == transpose_a) {
    std::memcpy(&of.transpose_a, value, sizeof(std::int32_t));
  } else if (attribute == fast_accumulation) {
    of.fast = *static_cast<const signed char*>(value);
  }
  return 0;
}
int cublasLtMatrixLayoutCreate(void** made, int type, std::uint64_t rows, std::uint64_t columns,
                               std::int64_t stride) {
  return make(made, new Matrix{type, rows, columns, stride});
}
int cublasLtMatrixLayoutDestroy(void* matrix) {
  return drop<Matrix>(matrix);
}
int cublasLtMatmulPreferenceCreate(void** made) {
  return make(made, new int(0));
}
int cublasLtMatmulPreferenceDestroy(void* preference) {
  return drop<int>(preference);
}
int cublasLtMatmulPreferenceSetAttribute(void*, int, const void*, std::size_t) {
  return 0;
}
int cublasLtMatmulAlgoGetHeuristic(void*, void*, void*, void*, void*, void*, void*, int, void*, int* found) {
  *found = answer("no_choice") == 0 ? 1 : 0;
  ++seen.choices;
  return answer("cublasLtMatmulAlgoGetHeuristic");
}
int cublasLtMatmul(void*, void* product, const void* alpha, const void* a, void* of_a, const void* b,
                   void* of_b, const void* beta, const void*, void*, void* d, void* of_d, const void*, void*,
                   std::size_t, void*) {
  const Matrix &left = *static_cast<Matrix*>(of_a), &right = *static_cast<Matrix*>(of_b);
  const Matrix& result = *static_cast<Matrix*>(of_d);
  const auto& of = *static_cast<Product*>(product);
  if (of.transpose_a != 1 || left.type != e4m3_type || right.type != e4m3_type || of.fast != 1) {
    return 15;  // CUBLAS_STATUS_NOT_SUPPORTED
  }
  for (std::uint64_t column = 0; column < result.columns; ++column) {
    for (std::uint64_t row = 0; row < result.rows; ++row) {
      float sum = 0;
      for (std::uint64_t k = 0; k < left.rows; ++k) {
        sum += element(a, left, k, row) * element(b, right, k, column);
      }
      float& place = static_cast<float*>(d)[row + column * static_cast<std::uint64_t>(result.stride)];
      const float scale = *static_cast<const float*>(beta);
      place = *static_cast<const float*>(alpha) * sum + (scale == 0 ? 0 : scale * place);
    }
  }
  return answer("cublasLtMatmul");
}
}
