// Sum with a transpose: C = alpha * A + beta * B^T, the square of B turned in shared memory.
//
// Idea    The tiled transpose with three FLOPs for each of its elements. They cost nothing beside 12 bytes of traffic,
//         but they give the kernel an intensity, so that its bank conflicts have a place on the FLOP roofline.
// Dials   TILE   the square's side.
//         ROWS   rows each thread moves: the block is TILE x TILE / ROWS threads.
//         PAD    unused columns behind each row of the square.
// Watch   0.25 FLOP/B at DRAM wherever the dials stand. PAD moves the point up and down below the DRAM roof, and the
//         shared-memory dot along its own: with TILE 32 and PAD 0 it stands at 0.023 FLOP/B, with PAD 1 at 0.375.
// Source  The operation is omatadd of the BLAS extensions; the turn as in transpose_tiled.
//
// A and C are M x N, B is N x M, row major, any size.
extern "C" __global__ void __launch_bounds__(TILE* TILE / ROWS)
    transpose_axpby(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int N,
                    float alpha, float beta) {
  __shared__ float tile[TILE][TILE + PAD];
  constexpr int step = TILE / ROWS;  // rows between two elements of one thread

  int x = blockIdx.y * TILE + threadIdx.x;  // the block's place in B is mirrored
  int y = blockIdx.x * TILE + threadIdx.y;
#pragma unroll
  for (int i = 0; i < TILE; i += step)
    if (x < M && y + i < N) tile[threadIdx.y + i][threadIdx.x] = B[(long long)(y + i) * M + x];

  x = blockIdx.x * TILE + threadIdx.x;
  y = blockIdx.y * TILE + threadIdx.y;
  float a[ROWS];  // on their way while the square fills
#pragma unroll
  for (int r = 0; r < ROWS; ++r)
    if (x < N && y + r * step < M) a[r] = A[(long long)(y + r * step) * N + x];
  __syncthreads();  // a thread reads what others wrote

#pragma unroll
  for (int r = 0; r < ROWS; ++r)
    if (x < N && y + r * step < M)
      C[(long long)(y + r * step) * N + x] = alpha * a[r] + beta * tile[threadIdx.x][threadIdx.y + r * step];
}
