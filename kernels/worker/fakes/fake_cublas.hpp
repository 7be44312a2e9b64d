// The last call of the fake cuBLAS, in cuBLAS's terms: matrices stand column by column.
#pragma once

struct FakeGemm {
  int m, n, k, lda, ldb, ldc, type_a, type_b, compute;
  float alpha, beta;
};

extern "C" {
const FakeGemm* fake_last_gemm();
int fake_cublas_handles();  // made and not given back
}
