// Naive transpose: out[x][y] = in[y][x], straight from global memory to global memory.
//
// Idea    Neighbouring threads take neighbouring elements on one side, so on the other side they are whole rows apart:
//         either the reads or the writes touch one 32-byte sector for each lane.
// Dials   COALESCED_WRITES   0: a warp reads along a row and writes down a column; 1: the other way round.
//         BLOCK_X, BLOCK_Y   the block's shape, x along the coalesced side. A warp of a narrow block covers a small
//                            square, 8 x 4 elements, and then wastes little on either side.
// Watch   At 32 threads per row the L1 dot says 36 bytes per element instead of 8. Strided reads can be caught by L1 for
//         the neighbours that want the rest of a sector; strided writes go on to L2 one piece at a time.
// Source  G. Ruetsch, P. Micikevicius, "Optimizing Matrix Transpose in CUDA", NVIDIA, 2009.
//
// in is M x N, out is N x M, row major, any size.
extern "C" __global__ void __launch_bounds__(BLOCK_X* BLOCK_Y)
    transpose_naive(const float* __restrict__ in, float* __restrict__ out, int M, int N) {
  const int along = blockIdx.x * BLOCK_X + threadIdx.x;
  const int across = blockIdx.y * BLOCK_Y + threadIdx.y;
  const int x = COALESCED_WRITES ? across : along;
  const int y = COALESCED_WRITES ? along : across;
  if (x < N && y < M) out[(long long)x * M + y] = in[(long long)y * N + x];
}
