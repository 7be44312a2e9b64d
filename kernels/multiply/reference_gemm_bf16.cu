// Reference of C = alpha A B + beta C with A and B of BF16 for verification: one output a thread, in double precision.
__device__ double value(unsigned short bfloat16) { return __uint_as_float((unsigned)bfloat16 << 16); }

extern "C" __global__ void gemm_bf16_reference(const unsigned short* A, const unsigned short* B, float* C, int M, int N,
                                               int K, int lda, int ldb, int ldc, float alpha, float beta) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N) return;
  double sum = 0;
  for (int k = 0; k < K; ++k) sum += value(A[(long long)row * lda + k]) * value(B[(long long)k * ldb + col]);
  float* c = &C[(long long)row * ldc + col];
  *c = (float)(beta == 0.0f ? alpha * sum : alpha * sum + beta * (double)*c);
}
