// Warp-tiled matrix multiply: C = alpha A B + beta C, with tiles for the block, the warp and the thread.
//
// Idea    A block's BM x BN tile of C is cut into warp tiles, a warp's into thread tiles of registers, so every level
//         of memory feeds a level that reuses it. cp.async copies later steps of K to shared memory, past the
//         registers, and turns A on its way; while one k is multiplied, the operands of the next one are loaded.
// Dials   BM, BN, WM, WN, TM, TN   the tile of a block, of a warp, of a thread: WM/TM x WN/TN are the 32 lanes.
//         BK, STAGES   how far a step goes along K, and steps held in shared memory: all but one are on their way.
//         GROUP        rows of blocks that advance along N together, so that blocks at work share A and B in L2.
// Watch   The point comes closest to the FP32 roof of all. A larger thread tile loads less from shared memory for each
//         FMA and pays in registers, hence in occupancy: that it is fastest with an eighth of the warps is no mistake.
// Source  A. Kerr, D. Merrill, J. Demouth, J. Tran, "CUTLASS: Fast Linear Algebra in CUDA C++", NVIDIA, 2017.
//
// Row major, any M, N, K: A is M x K, B is K x N, C is M x N; their rows are lda, ldb and ldc floats apart.
#include "../warp_tile.cuh"

extern "C" __global__ void __launch_bounds__(threads, threads < resident ? resident / threads : 1)
    sgemm_warp_tiled(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int N,
                     int K, int lda, int ldb, int ldc, float alpha, float beta) {
  const int block = blockIdx.y * gridDim.x + blockIdx.x, group = GROUP * gridDim.x, top = block / group * GROUP;
  const int height = min(GROUP, gridDim.y - top);  // of the last group, less perhaps
  const int2 origin = {(top + block % group % height) * BM, block % group / height * BN}, first = first_output();

  float sum[TM][TN] = {};
  multiply(sum, A + (long long)origin.x * lda, B + origin.y, lda, ldb, M - origin.x, N - origin.y, K, first, N);
#pragma unroll
  for (int e = 0; e < TM * TN / 4; ++e) store_four(C, e, sum, origin, first, M, N, ldc, alpha, beta);
}
