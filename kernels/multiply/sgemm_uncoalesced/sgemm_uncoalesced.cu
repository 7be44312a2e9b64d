// Uncoalesced matrix multiply: C = alpha A B + beta C, one output per thread, with x walking down the rows.
//
// Idea    The naive kernel with one mistake: neighbouring threads take neighbouring rows of C, not columns. A warp's
//         loads of A and its stores to C then touch as many rows as it has lanes, and of each a single float.
// Dials   BLOCK_X, BLOCK_Y   the block's shape. A narrow block walks down fewer rows at once.
// Watch   The same FLOPs and the same DRAM bytes as the naive kernel, and many times its L1 bytes: a 32-byte sector comes
//         for every 4 bytes asked for. The L1 dot slides left, and the point goes down with it.
// Source  D. Kirk, W. Hwu, "Programming Massively Parallel Processors", chapter on memory coalescing.
//
// Row major, any M, N, K: A is M x K, B is K x N, C is M x N; their rows are lda, ldb and ldc floats apart.
extern "C" __global__ void __launch_bounds__(BLOCK_X* BLOCK_Y)
    sgemm_uncoalesced(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int N,
                      int K, int lda, int ldb, int ldc, float alpha, float beta) {
  const int row = blockIdx.x * BLOCK_X + threadIdx.x;  // the mistake: x should run along a row of C
  const int col = blockIdx.y * BLOCK_Y + threadIdx.y;
  if (row >= M || col >= N) return;

  const float* a = A + (long long)row * lda;
  const float* b = B + col;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k) sum += a[k] * b[(long long)k * ldb];

  float* c = &C[(long long)row * ldc + col];
  *c = beta == 0.0f ? alpha * sum : alpha * sum + beta * *c;  // beta 0: C may hold anything, even NaN
}
