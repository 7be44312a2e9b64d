// Tiled matrix multiply: C = alpha A B + beta C, one output per thread.
//
// Idea    A block computes a TILE x TILE square of C. For each step along K it copies one square of A and one of B
//         into shared memory, where every element is read TILE times: global traffic falls by the factor TILE.
// Dials   TILE   the square's side; TILE^2 threads per block.
//         PAD_A, PAD_B   unused columns behind each row of the shared squares.
// Watch   The point climbs with TILE, yet stays far below the FP32 roof: two shared-memory reads feed each FMA, so the
//         shared-memory roof holds it. Padding buys nothing: a warp reads As as a broadcast and Bs as a row. At
//         TILE 16 an odd padding even adds a 2-way conflict to the stores.
// Source  D. Kirk, W. Hwu, "Programming Massively Parallel Processors", chapter on memory and data locality.
//
// Row major, any M, N, K: A is M x K, B is K x N, C is M x N; their rows are lda, ldb and ldc floats apart.
extern "C" __global__ void __launch_bounds__(TILE* TILE)
    sgemm_tiled(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int N, int K,
                int lda, int ldb, int ldc, float alpha, float beta) {
  // The row stride is a multiple of 16 bytes when the padding is a multiple of 4: then four steps of k are one load.
  __shared__ __align__(16) float As[TILE][TILE + PAD_A];
  __shared__ __align__(16) float Bs[TILE][TILE + PAD_B];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty;
  const int col = blockIdx.x * TILE + tx;

  float sum = 0.0f;
#pragma unroll 1  // the inner loop is long enough; unrolling this one too only makes the compiler slow
  for (int k0 = 0; k0 < K; k0 += TILE) {
    // Elements outside the matrices count as zero, so ragged edges need no special loop.
    As[ty][tx] = row < M && k0 + tx < K ? A[(long long)row * lda + k0 + tx] : 0.0f;
    Bs[ty][tx] = k0 + ty < K && col < N ? B[(long long)(k0 + ty) * ldb + col] : 0.0f;
    __syncthreads();  // the squares are whole before anyone reads them

#pragma unroll
    for (int k = 0; k < TILE; ++k) sum += As[ty][k] * Bs[k][tx];
    __syncthreads();  // everyone has read them before the next step overwrites them
  }

  if (row < M && col < N) {
    float* c = &C[(long long)row * ldc + col];
    *c = beta == 0.0f ? alpha * sum : alpha * sum + beta * *c;  // beta 0: C may hold anything, even NaN
  }
}
