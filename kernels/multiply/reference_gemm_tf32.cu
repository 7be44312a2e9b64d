// Reference of C = alpha A B + beta C on TF32 tensor cores for verification: one output a thread, in double precision.
__device__ double tf32(float value) { return __uint_as_float(__float_as_uint(value) & 0xffffe000u); }  // 10 bits are left

extern "C" __global__ void gemm_tf32_reference(const float* A, const float* B, float* C, int M, int N, int K, int lda,
                                               int ldb, int ldc, float alpha, float beta) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N) return;
  double sum = 0;
  for (int k = 0; k < K; ++k) sum += tf32(A[(long long)row * lda + k]) * tf32(B[(long long)k * ldb + col]);
  float* c = &C[(long long)row * ldc + col];
  *c = (float)(beta == 0.0f ? alpha * sum : alpha * sum + beta * (double)*c);
}
