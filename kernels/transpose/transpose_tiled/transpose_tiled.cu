// Tiled transpose: out[x][y] = in[y][x], turned inside shared memory so that reads and writes are both rows.
//
// Idea    A block copies a TILE x TILE square into shared memory row by row and writes it out column by column. Global
//         memory sees whole rows both times; the turn happens where it is cheap, if the banks agree.
// Dials   TILE    the square's side.
//         ROWS    rows each thread moves: the block is TILE x TILE / ROWS threads.
//         PAD     unused elements behind each row of the square.
//         BYTES   of an element.
// Watch   With TILE 32 and PAD 0 all 32 lanes of a column read fall into one bank: 32 wavefronts for one request.
//         PAD 1 shifts each row by one bank and removes them all. A bank is 4 bytes wide, so elements of 1 and 2 bytes
//         need PAD 4 and 2 for that. No FLOPs: look at the share of each roof.
// Source  G. Ruetsch, P. Micikevicius, "Optimizing Matrix Transpose in CUDA", NVIDIA, 2009.
//
// in is M x N, out is N x M, row major, any size.
#if BYTES == 1
using Element = unsigned char;
#elif BYTES == 2
using Element = unsigned short;
#elif BYTES == 4
using Element = unsigned;
#else
using Element = unsigned long long;
#endif

extern "C" __global__ void __launch_bounds__(TILE* TILE / ROWS)
    transpose_tiled(const Element* __restrict__ in, Element* __restrict__ out, int M, int N) {
  __shared__ Element tile[TILE][TILE + PAD];
  constexpr int step = TILE / ROWS;  // rows between two elements of one thread

  int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
#pragma unroll
  for (int i = 0; i < TILE; i += step)
    if (x < N && y + i < M) tile[threadIdx.y + i][threadIdx.x] = in[(long long)(y + i) * N + x];
  __syncthreads();  // a thread reads what others wrote

  x = blockIdx.y * TILE + threadIdx.x;  // the block's place in out is mirrored
  y = blockIdx.x * TILE + threadIdx.y;
#pragma unroll
  for (int i = 0; i < TILE; i += step)
    if (x < M && y + i < N) out[(long long)(y + i) * M + x] = tile[threadIdx.x][threadIdx.y + i];
}
