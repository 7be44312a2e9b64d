// Tiled matrix multiply C = A B of N x N floats, with either barrier left out on purpose.
//
// Idea    A barrier is the only promise that what other warps wrote is there, and that they have read what was there.
// Dials   BARRIERS   1 leaves out the barrier after the stores: a warp reads what others have not stored yet.
//                    2 leaves out the barrier after the loads: a fast warp overwrites what a slow one still reads.
// Watch   The Banks tab rings the words where two warps meet. On a GPU the result is wrong, or right by luck.
extern "C" __global__ void __launch_bounds__(TILE* TILE)
    sgemm_race(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int N) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  float sum = 0.0f;
#pragma unroll 1
  for (int k0 = 0; k0 < N; k0 += TILE) {
    As[ty][tx] = A[row * N + k0 + tx];
    Bs[ty][tx] = B[(k0 + ty) * N + col];
    if (BARRIERS != 1) __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; ++k) sum += As[ty][k] * Bs[k][tx];
    if (BARRIERS != 2) __syncthreads();
  }
  C[row * N + col] = sum;
}
