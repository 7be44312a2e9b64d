// Vectorised matrix multiply: C = alpha A B + beta C, moving 128 bits at a time, with A transposed on its way.
//
// Idea    Like the 2-D register tile, but each global load and each shared load moves four floats in one instruction. A
//         is turned while it is stored, so that a thread's rows lie side by side for the same k.
// Dials   BM, BN, BK   the block's tile, and how far a step goes along K. TM, TN   a thread's outputs.
//         PAD_A        unused columns behind each row of A's transposed tile, in fours: loads stay aligned.
// Watch   A quarter of the load instructions does the same work. The turn has its price: lanes that hold different k of
//         one row store into one bank, BK / 4 of them at once. With BK 8, PAD_A 4 parts them and PAD_A 8 does not; with
//         BK 16 it halves the conflict. The loads have none, whatever the padding: the arrays differ.
// Source  V. Volkov, J. Demmel, "Benchmarking GPUs to Tune Dense Linear Algebra", SC 2008 (the transposed tile).
//
// Row major, any M, N, K: A is M x K, B is K x N, C is M x N; their rows are lda, ldb and ldc floats apart.
constexpr int threads_x = BN / TN, threads_y = BM / TM, threads = threads_x * threads_y;

// Up to four floats of a row, cols of them inside the matrix, the others zero; in one load where rows start at 16 bytes.
__device__ float4 load4(const float* from, int cols, bool aligned) {
  if (aligned && cols >= 4) return *(const float4*)from;
  float4 v = {};
  if (cols > 0) v.x = from[0];
  if (cols > 1) v.y = from[1];
  if (cols > 2) v.z = from[2];
  if (cols > 3) v.w = from[3];
  return v;
}

// beta 0: C may hold anything, even NaN.
__device__ float scaled(float alpha, float sum, float beta, float c) {
  return beta == 0.0f ? alpha * sum : alpha * sum + beta * c;
}

// Up to four outputs of a row, cols of them inside C; in one store where rows start at 16 bytes.
__device__ void store4(float* out, const float* sum, int cols, bool aligned, float alpha, float beta) {
  if (aligned && cols >= 4) {
    const float4 c = beta == 0.0f ? float4{} : *(const float4*)out;
    *(float4*)out = {scaled(alpha, sum[0], beta, c.x), scaled(alpha, sum[1], beta, c.y),
                     scaled(alpha, sum[2], beta, c.z), scaled(alpha, sum[3], beta, c.w)};
  } else {
#pragma unroll
    for (int j = 0; j < 4; ++j)
      if (j < cols) out[j] = scaled(alpha, sum[j], beta, out[j]);
  }
}

extern "C" __global__ void __launch_bounds__(threads)
    sgemm_vectorized(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int N,
                     int K, int lda, int ldb, int ldc, float alpha, float beta) {
  __shared__ __align__(16) float At[BK][BM + PAD_A];
  __shared__ __align__(16) float Bs[BK][BN];

  const int tx = threadIdx.x, ty = threadIdx.y, t = ty * threads_x + tx;
  const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;

  float sum[TM][TN] = {};
#pragma unroll 1
  for (int k0 = 0; k0 < K; k0 += BK) {
#pragma unroll
    for (int e = t * 4; e < BM * BK; e += threads * 4) {
      const int row = e / BK, k = e % BK;
      const int cols = row0 + row < M ? K - k0 - k : 0;
      const float4 v = load4(&A[(long long)(row0 + row) * lda + k0 + k], cols, lda % 4 == 0);
      At[k][row] = v.x;
      At[k + 1][row] = v.y;
      At[k + 2][row] = v.z;
      At[k + 3][row] = v.w;
    }
#pragma unroll
    for (int e = t * 4; e < BK * BN; e += threads * 4) {
      const int k = e / BN, col = e % BN;
      const int cols = k0 + k < K ? N - col0 - col : 0;
      *(float4*)&Bs[k][col] = load4(&B[(long long)(k0 + k) * ldb + col0 + col], cols, ldb % 4 == 0);
    }
    __syncthreads();  // the tiles are whole before anyone reads them

#pragma unroll(threads > 256 ? 16 : 32)  // more would spill on some GPUs: many threads get few registers
    for (int k = 0; k < BK; ++k) {
      float a[TM], b[TN];
      // A thread's rows and columns lie in fours, spread over the tile.
#pragma unroll
      for (int i = 0; i < TM; i += 4) *(float4*)&a[i] = *(const float4*)&At[k][ty * 4 + i * threads_y];
#pragma unroll
      for (int j = 0; j < TN; j += 4) *(float4*)&b[j] = *(const float4*)&Bs[k][tx * 4 + j * threads_x];
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) sum[i][j] += a[i] * b[j];
    }
    __syncthreads();  // everyone has read them before the next step overwrites them
  }

#pragma unroll
  for (int i = 0; i < TM; ++i) {
    const int row = row0 + ty * 4 + i / 4 * 4 * threads_y + i % 4;
    const int cols = row < M ? N - col0 - tx * 4 : 0;  // of this row of C from the thread's first on
#pragma unroll
    for (int j = 0; j < TN; j += 4) {
      const int skip = j * threads_x;
      store4(&C[(long long)row * ldc + col0 + tx * 4 + skip], &sum[i][j], cols - skip, ldc % 4 == 0, alpha, beta);
    }
  }
}
