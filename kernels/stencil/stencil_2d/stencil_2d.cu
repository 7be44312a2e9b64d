// Five-point stencil: out = center * in + side * (left + right + above + below), zero outside.
//
// Idea    A block copies a TILE_X x TILE_Y piece and the ring of neighbours around it, the halo, into shared memory;
//         then five reads per output cost no global traffic. A thread walks down ROWS outputs and carries the column
//         in registers, which leaves three reads and the two at its ends.
// Dials   TILE_X, TILE_Y   the piece's sides. The halo costs 2 / TILE_Y rows and, a sector each, 16 / TILE_X columns.
//         ROWS             outputs per thread: TILE_X x TILE_Y / ROWS threads.
// Watch   6 FLOPs for 8 bytes, 0.75 FLOP/B, at DRAM wherever the dials stand: L2 has the halo. The L1 dot moves with
//         the shape: at TILE_X 8 each row of 32 bytes brings 64 of halo. Narrow rows share a warp and meet in banks.
// Source  P. Micikevicius, "3D Finite Difference Computation on GPUs using CUDA", GPGPU-2, 2009.
//
// in and out are M x N, row major, any size.
extern "C" __global__ void __launch_bounds__(TILE_X* TILE_Y / ROWS)
    stencil_2d(const float* __restrict__ in, float* __restrict__ out, int M, int N, float center, float side) {
  __shared__ float tile[TILE_Y + 2][TILE_X + 2];
  const int tx = threadIdx.x;
  const int first = threadIdx.y * ROWS;  // of the thread's rows in the tile
  const int left = blockIdx.x * TILE_X, top = blockIdx.y * TILE_Y;
  const auto at = [&](int y, int x) {
    return 0 <= y && y < M && 0 <= x && x < N ? in[(long long)y * N + x] : 0.0f;
  };

  const bool edge = tx == 0 || tx == TILE_X - 1;  // these threads also bring the column beside theirs
  const int beside = tx == 0 ? -1 : TILE_X;
  float inner[ROWS], outer[ROWS];
#pragma unroll
  for (int i = 0; i < ROWS; ++i) {  // all loads are under way before the first store waits for one
    inner[i] = at(top + first + i, left + tx);
    outer[i] = edge ? at(top + first + i, left + beside) : 0.0f;
  }
#pragma unroll
  for (int i = 0; i < ROWS; ++i) {
    tile[first + i + 1][tx + 1] = inner[i];
    if (edge) tile[first + i + 1][beside + 1] = outer[i];
  }
  if (threadIdx.y == 0) {  // corners are nobody's neighbours
    tile[0][tx + 1] = at(top - 1, left + tx);
    tile[TILE_Y + 1][tx + 1] = at(top + TILE_Y, left + tx);
  }
  __syncthreads();  // the piece is whole before anyone reads it

  if (left + tx >= N) return;
  float above = tile[first][tx + 1], here = tile[first + 1][tx + 1];
#pragma unroll
  for (int i = 1; i <= ROWS; ++i) {
    if (top + first + i > M) return;
    const float below = tile[first + i + 1][tx + 1];
    const float sum = tile[first + i][tx] + tile[first + i][tx + 2] + above + below;
    out[(long long)(top + first + i - 1) * N + left + tx] = center * here + side * sum;
    above = here;
    here = below;
  }
}
