// Matrix multiply with a 2-D register tile: C = alpha A B + beta C, TM x TN outputs per thread.
//
// Idea    A block computes a BM x BN tile of C, a thread TM x TN outputs of it in registers. TM values of A and TN of B
//         are read from shared memory for TM * TN FMAs: every value read is used TN or TM times before it is dropped.
// Dials   BM, BN   the block's tile of C. BK   how far a step goes along K.
//         TM, TN   a thread's outputs: rows and columns.
//         PAD_A    unused columns behind each row of A's tile.
// Watch   The shared-memory dot moves right with TM and TN and frees the point from that roof. Registers are the price:
//         at 8 x 8 the accumulators alone take 64, occupancy falls, and the kernel still gets faster. If a warp reads
//         several rows of A, and a row has 32 floats, all these rows start in one bank: padding moves them apart.
// Source  V. Volkov, J. Demmel, "Benchmarking GPUs to Tune Dense Linear Algebra", SC 2008.
//
// Row major, any M, N, K: A is M x K, B is K x N, C is M x N; their rows are lda, ldb and ldc floats apart.
constexpr int threads_x = BN / TN, threads_y = BM / TM, threads = threads_x * threads_y;

extern "C" __global__ void __launch_bounds__(threads)
    sgemm_register_2d(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int N,
                      int K, int lda, int ldb, int ldc, float alpha, float beta) {
  __shared__ __align__(16) float As[BM][BK + PAD_A];
  __shared__ __align__(16) float Bs[BK][BN];

  const int tx = threadIdx.x, ty = threadIdx.y, t = ty * threads_x + tx;
  const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;

  float sum[TM][TN] = {};
#pragma unroll 1
  for (int k0 = 0; k0 < K; k0 += BK) {
    // Elements outside the matrices count as zero, so ragged edges need no special loop.
#pragma unroll
    for (int e = t; e < BM * BK; e += threads) {
      const int row = row0 + e / BK, k = k0 + e % BK;
      As[e / BK][e % BK] = row < M && k < K ? A[(long long)row * lda + k] : 0.0f;
    }
#pragma unroll
    for (int e = t; e < BK * BN; e += threads) {
      const int k = k0 + e / BN, col = col0 + e % BN;
      Bs[e / BN][e % BN] = k < K && col < N ? B[(long long)k * ldb + col] : 0.0f;
    }
    __syncthreads();  // the tiles are whole before anyone reads them

#pragma unroll
    for (int k = 0; k < BK; ++k) {
      float a[TM], b[TN];
      // A thread's rows and columns are spread over the tile: neighbouring lanes read neighbouring columns.
#pragma unroll
      for (int i = 0; i < TM; ++i) a[i] = As[ty + i * threads_y][k];
#pragma unroll
      for (int j = 0; j < TN; ++j) b[j] = Bs[k][tx + j * threads_x];
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) sum[i][j] += a[i] * b[j];
    }
    __syncthreads();  // everyone has read them before the next step overwrites them
  }

  const int rows = M - row0 - ty, cols = N - col0 - tx;  // of C from the thread's first on
  float* out = &C[(long long)(row0 + ty) * ldc + col0 + tx];
#pragma unroll
  for (int i = 0; i < TM; ++i) {
#pragma unroll
    for (int j = 0; j < TN; ++j) {  // with beta 0, C may hold anything, even NaN
      const int skip = j * threads_x;
      if (i * threads_y < rows && skip < cols)
        out[skip] = beta == 0.0f ? alpha * sum[i][j] : alpha * sum[i][j] + beta * out[skip];
    }
    out += (long long)threads_y * ldc;
  }
}
