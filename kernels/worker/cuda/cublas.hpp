// cuBLAS, loaded at run time: the vendor's matrix multiply.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <string>

#include "kernels/worker/cuda/vendor_library.hpp"

namespace rooftile::worker {

// C = alpha A B + beta C with row-major matrices: A is M x K, B is K x N, C is M x N of floats; lda, ldb and
// ldc are the elements from row to row.
struct Gemm {
  std::string pipe;     // FP32, or tensor cores
  std::string element;  // of A and B: "float", "bfloat16" or, by cuBLASLt, "fp8_e4m3"
  CUdeviceptr a = 0, b = 0, c = 0;
  int m = 0, n = 0, k = 0;
  int lda = 0, ldb = 0, ldc = 0;
  float alpha = 1, beta = 0;
  bool pedantic = true;  // of FP32: by FFMA alone; else in any way that cuBLAS finds as exact

  bool operator==(const Gemm&) const = default;
};

class Cublas {
 public:
  // Throws Error saying what to install when it is not there.
  Cublas();
  ~Cublas();
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;

  // Queued on the default stream.
  void multiply(const Gemm& gemm) const;

 private:
  void check(int status, const char* call) const;

  using Handle = struct cublasContext*;
  VendorLibrary library_;
  int (*create_)(Handle*) = nullptr;
  int (*destroy_)(Handle) = nullptr;
  const char* (*status_text_)(int) = nullptr;
  int (*gemm_)(Handle, int op_a, int op_b, int m, int n, int k, const void* alpha, const void* a, int type_a,
               int row_a, const void* b, int type_b, int row_b, const void* beta, void* c, int type_c,
               int row_c, int compute, int algorithm) = nullptr;
  Handle handle_ = nullptr;
};

}  // namespace rooftile::worker
