// Swizzled transpose: out[x][y] = in[y][x], the tiled transpose without padding and without bank conflicts.
//
// Idea    Row y of the square keeps column x at x XOR y. A row is still a permutation of itself, and the elements of a
//         column now lie in different banks: both the store and the load of a warp touch each bank once.
// Dials   TILE   the square's side.
//         ROWS   rows each thread moves: the block is TILE x TILE / ROWS threads.
// Watch   One wavefront per request at every TILE; padding by one leaves 2-way conflicts at 8 and 16, where a warp holds
//         several rows. No byte of shared memory is unused, and rows stay aligned. Beside the padded tiled transpose.
// Source  The XOR schemes of parallel memories: J. Frailong, W. Jalby, J. Lenfant, "XOR-Schemes: A Flexible Data
//         Organization in Parallel Memories", ICPP 1985.
//
// in is M x N, out is N x M, row major, any size.
__device__ int swizzled(int x, int y) {
  return x ^ (y & 31);  // 32 banks: more bits would change nothing
}

extern "C" __global__ void __launch_bounds__(TILE* TILE / ROWS)
    transpose_swizzled(const float* __restrict__ in, float* __restrict__ out, int M, int N) {
  __shared__ float tile[TILE][TILE];
  constexpr int step = TILE / ROWS;  // rows between two elements of one thread
  const int tx = threadIdx.x, ty = threadIdx.y;

  int x = blockIdx.x * TILE + tx;
  int y = blockIdx.y * TILE + ty;
#pragma unroll
  for (int i = 0; i < TILE; i += step)
    if (x < N && y + i < M) tile[ty + i][swizzled(tx, ty + i)] = in[(long long)(y + i) * N + x];
  __syncthreads();  // a thread reads what others wrote

  x = blockIdx.y * TILE + tx;  // the block's place in out is mirrored
  y = blockIdx.x * TILE + ty;
#pragma unroll
  for (int i = 0; i < TILE; i += step)
    if (x < M && y + i < N) out[(long long)(y + i) * M + x] = tile[tx][swizzled(ty + i, tx)];
}
