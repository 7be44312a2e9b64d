// Who computes which tiles, and how they are written out: what kernels by wgmma have in common whose matrices both come
// from shared memory. A warpgroup's sums are blocks of 64 rows of A by BN columns of B.
#pragma once

#include "hopper.cuh"
#include "last_wave.cuh"

constexpr int groups = BM == 64 && !TURNS ? 1 : 2;  // warpgroups that multiply; one more copies
constexpr int readers = TURNS ? 1 : groups;         // of a stage
constexpr int threads = 128 * (groups + 1), blocks_m = BM / 64 / readers;
constexpr bool crowded = groups == 2 && blocks_m * BN >= 256;  // the sums of a thread take half its registers
constexpr int box_bytes = 64 * 128;  // of outputs that are staged: 64 rows of 32

// A cluster's tiles are one above the other. Clusters go down a column of `group` tiles, then right: those that run at
// a time share rows and columns.
struct Tiles {
  int down, across, rows;
  __device__ Tiles(int M, int N, int group)
      : down((M + BM * CLUSTER - 1) / (BM * CLUSTER)), across((N + BN - 1) / BN), rows(max(1, group / CLUSTER)) {}
  __device__ int count() const { return down * across; }
  __device__ int2 origin(int number, int rank) const {  // row and column of C
    const int top = number / (rows * across) * rows, height = min(down - top, rows), n = number - top * across;
    return {((top + n % height) * CLUSTER + rank) * BM, n / height * BN};
  }
};

// A thread has two neighbours of every eighth row, eight columns apart. beta 0: C may hold anything, even NaN.
__device__ void store_tile(const float (&sum)[blocks_m][BN / 2], float* C, int2 origin, int M, int N, int ldc,
                           float alpha, float beta) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
  const int row = origin.x + warp * 16 + lane / 4, col = origin.y + lane % 4 * 2;
#pragma unroll
  for (int i = 0; i < blocks_m; ++i)
#pragma unroll
    for (int j = 0; j < BN / 8; ++j)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int y = row + i * 64 + half * 8, x = col + j * 8;
        if (y >= M || x >= N) continue;
        float2* out = (float2*)&C[(long long)y * ldc + x];
        const float2 c = beta == 0.0f ? float2{} : *out, s = {sum[i][4 * j + 2 * half], sum[i][4 * j + 2 * half + 1]};
        *out = beta == 0.0f ? float2{alpha * s.x, alpha * s.y} : float2{alpha * s.x + beta * c.x, alpha * s.y + beta * c.y};
      }
}

// By boxes of 64 x 32, two of them in turn, swizzled as TMA wants them. Odd rows bring their pieces in another order, so
// that the rows of a half-warp meet in no bank. add: to what C holds.
__device__ void stage_tile(const float (&sum)[blocks_m][BN / 2], unsigned boxes, const TensorMap& C, int2 origin,
                           int barrier, float alpha, bool add) {
  const int lane = threadIdx.x % 32, y = threadIdx.x / 32 % 4 * 16 + lane / 4;
  const bool first = threadIdx.x % 128 == 0, odd = y % 2;
#pragma unroll
  for (int i = 0; i < blocks_m; ++i)
#pragma unroll
    for (int col = 0; col < BN; col += 32) {
      const unsigned box = boxes + col / 32 % 2 * box_bytes;
      if (first) wait_stores_read<1>();
      sync_named(barrier, 128);
#pragma unroll
      for (int j = 0; j < 4; ++j)
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          const float *even_sums = &sum[i][col / 2 + 4 * j + 2 * half], *odd_sums = &sum[i][col / 2 + 4 * (j ^ 2) + 2 * half];
          const unsigned unit = ((odd ? j ^ 2 : j) * 2 + lane % 4 / 2) ^ (y % 8);
          asm volatile("st.shared.v2.f32 [%0], {%1, %2};"
                       ::"r"(box + (y + half * 8) * 128 + unit * 16 + lane % 2 * 8),
                         "f"(alpha * (odd ? odd_sums[0] : even_sums[0])), "f"(alpha * (odd ? odd_sums[1] : even_sums[1]))
                       : "memory");
        }
      fence_stores();
      sync_named(barrier, 128);
      if (first) {
        if (add) add_box(box, C, origin.y + col, origin.x + i * 64);
        else store_box(box, C, origin.y + col, origin.x + i * 64);
        commit_stores();
      }
    }
}
