// Reference of C = alpha A B + beta C for verification: one output a thread, products and sum in double precision.
extern "C" __global__ void sgemm_reference(const float* A, const float* B, float* C, int M, int N, int K, int lda,
                                           int ldb, int ldc, float alpha, float beta) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N) return;
  double sum = 0;
  for (int k = 0; k < K; ++k) sum += (double)A[(long long)row * lda + k] * B[(long long)k * ldb + col];
  float* c = &C[(long long)row * ldc + col];
  *c = (float)(beta == 0.0f ? alpha * sum : alpha * sum + beta * (double)*c);
}
