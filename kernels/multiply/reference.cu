// References of C = alpha A B + beta C for verification, by the type of A and B: one output per thread, products and sum
// in double precision.
__device__ double fp32(float value) { return value; }
__device__ double tf32(float value) { return __uint_as_float(__float_as_uint(value) & 0xffffe000u); }  // 10 bits are left
__device__ double bf16(unsigned short value) { return __uint_as_float((unsigned)value << 16); }
__device__ double fp8(unsigned char value) {  // e4m3
  const int exponent = value >> 3 & 15, digits = value & 7;
  const float size = exponent == 0 ? digits * 0x1p-9f : ldexpf(8 + digits, exponent - 10);
  return value & 128 ? -size : size;
}

// Rows of A and C are lda and ldc elements apart. In B, the next k is step_k elements away, the next column step_col.
template <class Element>
__device__ void multiply(const Element* A, const Element* B, float* C, int M, int N, int K, int lda, int step_k,
                         int step_col, int ldc, float alpha, float beta, double (*value)(Element)) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N) return;
  double sum = 0;
  for (int k = 0; k < K; ++k)
    sum += value(A[(long long)row * lda + k]) * value(B[(long long)k * step_k + (long long)col * step_col]);
  float* c = &C[(long long)row * ldc + col];
  *c = (float)(beta == 0.0f ? alpha * sum : alpha * sum + beta * (double)*c);
}

extern "C" __global__ void sgemm_reference(const float* A, const float* B, float* C, int M, int N, int K, int lda,
                                           int ldb, int ldc, float alpha, float beta) {
  multiply(A, B, C, M, N, K, lda, ldb, 1, ldc, alpha, beta, fp32);
}

extern "C" __global__ void gemm_tf32_reference(const float* A, const float* B, float* C, int M, int N, int K, int lda,
                                               int ldb, int ldc, float alpha, float beta) {
  multiply(A, B, C, M, N, K, lda, ldb, 1, ldc, alpha, beta, tf32);
}

extern "C" __global__ void gemm_bf16_reference(const unsigned short* A, const unsigned short* B, float* C, int M, int N,
                                               int K, int lda, int ldb, int ldc, float alpha, float beta) {
  multiply(A, B, C, M, N, K, lda, ldb, 1, ldc, alpha, beta, bf16);
}

// B is stored by columns.
extern "C" __global__ void gemm_fp8_reference(const unsigned char* A, const unsigned char* B, float* C, int M, int N, int K,
                                              int lda, int ldb, int ldc, float alpha, float beta) {
  multiply(A, B, C, M, N, K, lda, 1, ldb, ldc, alpha, beta, fp8);
}
