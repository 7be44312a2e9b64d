// Naive matrix multiply: C = alpha A B + beta C, one output per thread, nothing kept on chip by hand.
//
// Idea    Each thread walks a row of A and a column of B in global memory. Neighbouring threads share the row (a
//         broadcast) and read neighbouring columns (coalesced).
// Dials   BLOCK_X, BLOCK_Y   the block's shape. A narrow block spreads a warp over several rows of A.
// Watch   Two loads feed each FMA, 0.25 FLOP/B as a thread asks for it, and yet the DRAM dot stands hundreds of times
//         further right: L1 and L2 catch the reuse. Only the L1 dot shows what the kernel really asks for.
// Source  D. Kirk, W. Hwu, "Programming Massively Parallel Processors", chapter on multidimensional grids.
//
// Row major, any M, N, K: A is M x K, B is K x N, C is M x N; their rows are lda, ldb and ldc floats apart.
extern "C" __global__ void __launch_bounds__(BLOCK_X* BLOCK_Y)
    sgemm_naive(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int N, int K,
                int lda, int ldb, int ldc, float alpha, float beta) {
  const int row = blockIdx.y * BLOCK_Y + threadIdx.y;
  const int col = blockIdx.x * BLOCK_X + threadIdx.x;  // x runs along a row of C: a warp's loads of B are one line
  if (row >= M || col >= N) return;

  const float* a = A + (long long)row * lda;
  const float* b = B + col;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k) sum += a[k] * b[(long long)k * ldb];

  float* c = &C[(long long)row * ldc + col];
  *c = beta == 0.0f ? alpha * sum : alpha * sum + beta * *c;  // beta 0: C may hold anything, even NaN
}
