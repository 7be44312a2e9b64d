// Matrix multiply with a 1-D register tile: C = alpha A B + beta C, a column of TM outputs per thread.
//
// Idea    A block computes a BM x BN tile of C, a thread TM outputs of one column, in registers. A value of B is read
//         from shared memory once and used for TM FMAs: the shared traffic of the plain tiled kernel is cut in half.
// Dials   BM, BN   the block's tile of C. BK   how far a step goes along K.
//         TM       a thread's outputs.
//         PAD_A    unused columns behind each row of A's tile.
// Watch   The shared-memory dot moves right with TM, but A is still read once for each FMA, so it stops near where A
//         alone would hold it. Four steps of k of A are one 128-bit load while PAD_A keeps its rows aligned; odd padding
//         makes them four loads, and there was no conflict to be rid of.
// Source  V. Volkov, "Better Performance at Lower Occupancy", GPU Technology Conference, 2010.
//
// Row major, any M, N, K: A is M x K, B is K x N, C is M x N; their rows are lda, ldb and ldc floats apart.
constexpr int threads_y = BM / TM, threads = BN * threads_y;

extern "C" __global__ void __launch_bounds__(threads)
    sgemm_register_1d(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int N,
                      int K, int lda, int ldb, int ldc, float alpha, float beta) {
  __shared__ __align__(16) float As[BM][BK + PAD_A];
  __shared__ __align__(16) float Bs[BK][BN];

  const int tx = threadIdx.x, ty = threadIdx.y, t = ty * BN + tx;
  const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;

  float sum[TM] = {};
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
      const float b = Bs[k][tx];
#pragma unroll
      for (int i = 0; i < TM; ++i) sum[i] += As[ty + i * threads_y][k] * b;
    }
    __syncthreads();  // everyone has read them before the next step overwrites them
  }

  const int rows = M - row0 - ty, col = col0 + tx;
  float* out = &C[(long long)(row0 + ty) * ldc + col];
#pragma unroll
  for (int i = 0; i < TM; ++i) {
    if (i * threads_y < rows && col < N)  // with beta 0, C may hold anything, even NaN
      *out = beta == 0.0f ? alpha * sum[i] : alpha * sum[i] + beta * *out;
    out += (long long)threads_y * ldc;
  }
}
