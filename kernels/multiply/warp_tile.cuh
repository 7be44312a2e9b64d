// What multiplies by warp tiles share: how a block brings its tiles and multiplies them, and which outputs a thread has.
#pragma once

constexpr int lanes_m = WM / TM, lanes_n = WN / TN, warps_n = BN / WN;
constexpr int threads = 32 * (BM / WM) * warps_n;
constexpr int row_a = BM + 4, stage = BK * (row_a + BN);  // a warp turns eight k of four rows: so they meet 32 banks
constexpr int resident = 256;  // threads an SM should hold at least: as many as have 255 registers each

// Row and column of the thread's first output in the block's tile; the others are in fours, lanes_m or lanes_n of them
// apart. A 128-bit load takes sixteen lanes at once, not eight, where all lanes i and i ^ 1, or all i and i ^ 2, read the
// same: the lowest bit of the lane chooses the column, the next one the row.
__device__ int2 first_output() {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int lane_m = lane / 2 % 2 + lane / (2 * lanes_n) * 2, lane_n = lane % 2 + lane / 4 % (lanes_n / 2) * 2;
  return {warp / warps_n * WM + lane_m * 4, warp % warps_n * WN + lane_n * 4};
}

// Copies some floats from global to shared memory in the background, or zeros.
template <int floats>
__device__ void copy(float* to, const float* from, bool inside) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from),
               "n"(4 * floats), "r"(inside ? 4 * floats : 0));
}

// Sums the thread's products: rows from row on, in fours, and likewise columns. Copies so many floats of B at once.
template <int floats>
__device__ void multiply(float (&sum)[TM][TN], const float* A, const float* B, int lda, int ldb, int rows, int cols,
                         int K, int row, int col) {
  extern __shared__ __align__(16) float stages[];
  constexpr int rows_a = threads / 8, passes_a = BM / rows_a;  // the block copies eight k of so many rows of A at once
  const int t = threadIdx.x, a_k = t % 8, a_row = t / 8, b_k = t * floats / BN, b_col = t * floats % BN;
  A += a_k, B += (long long)b_k * ldb + b_col;
  int skip[passes_a];  // outside A the last row stands in: those outputs go nowhere, and no copy has to ask
  for (int i = 0; i < passes_a; ++i) skip[i] = min(a_row + i * rows_a, rows - 1) * lda;
  int depth = K;  // still to be copied
  const auto copy_step = [&](float* to) {
    for (int e = 0; e < BK / 8 * passes_a; ++e) {
      const int k = e / passes_a * 8, i = e % passes_a;
      copy<1>(&to[(k + a_k) * row_a + a_row + i * rows_a], A + k + skip[i], k + a_k < depth);
    }
    float* Bs = to + BK * row_a;
    for (int e = 0; e < BK * BN; e += threads * floats) {
      const int k = e / BN, j = e % BN;
      copy<floats>(&Bs[(k + b_k) * BN + b_col + j], &B[k * ldb + j], k + b_k < depth && b_col + j < cols);
    }
    asm volatile("cp.async.commit_group;");
    A += BK, B += (long long)BK * ldb, depth -= BK;
  };

  float a[2][TM], b[2][TN];
  const auto load = [&](int k, const float* As, const float* Bs) {
    for (int i = 0; i < TM; i += 4) *(float4*)&a[k % 2][i] = *(const float4*)&As[i * lanes_m];
    for (int j = 0; j < TN; j += 4) *(float4*)&b[k % 2][j] = *(const float4*)&Bs[j * lanes_n];
  };

#pragma unroll 1
  for (int step = 0; step < STAGES - 1; ++step) copy_step(stages + step * stage);
  asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2));  // this thread's copies of the first step are done,
  __syncthreads();                                            // and everyone's
  load(0, stages + row, stages + BK * row_a + col);
  int at = 0, free = (STAGES - 1) * stage;  // the step in work, and a place that everyone has read
#pragma unroll 1
  for (int step = 0; step * BK < K; ++step) {
    copy_step(stages + free);
    free = at;
    const float *As = stages + at + row, *Bs = stages + at + BK * row_a + col;
    at = at + stage == STAGES * stage ? 0 : at + stage;
#pragma unroll 8
    for (int k = 0; k < BK; ++k) {
      As += row_a, Bs += BN;
      if (k == BK - 1) {  // the next k is the next step's first
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2));
        __syncthreads();
        As = stages + at + row, Bs = stages + at + BK * row_a + col;
      }
      load(k + 1, As, Bs);
      // To and fro: at each turn one operand stays in place, and no register bank is asked for two at once.
      for (int e = 0; e < TM * TN; ++e) {
        const int i = e / TN, j = i % 2 == 0 ? e % TN : TN - 1 - e % TN;
        sum[i][j] += a[k % 2][i] * b[k % 2][j];
      }
    }
  }
}

// The same; N: columns of all of B, of which `cols` are left from this tile on.
__device__ void multiply(float (&sum)[TM][TN], const float* A, const float* B, int lda, int ldb, int rows, int cols,
                         int K, int2 first, int N) {
  if (N % 4 == 0 && ldb % 4 == 0)  // all fours of B start at 16 bytes, and none is cut
    multiply<4>(sum, A, B, lda, ldb, rows, cols, K, first.x, first.y);
  else
    multiply<1>(sum, A, B, lda, ldb, rows, cols, K, first.x, first.y);
}

// Up to four outputs of a row, in one store where they start at 16 bytes. With beta 0, C may hold anything, even NaN.
__device__ void store4(float* out, const float* sum, int cols, bool aligned, float alpha, float beta) {
  const bool whole = aligned && cols >= 4;
  float4 both = whole && beta != 0.0f ? *(const float4*)out : float4{};
  float* c = &both.x;
  for (int j = 0; j < 4; ++j) {
    if (!whole && j < cols && beta != 0.0f) c[j] = out[j];
    c[j] = beta == 0.0f ? alpha * sum[j] : alpha * sum[j] + beta * c[j];
    if (!whole && j < cols) out[j] = c[j];
  }
  if (whole) *(float4*)out = both;
}

// The e-th four of a thread's outputs; origin: of the block's tile in C.
__device__ void store_four(float* C, int e, const float (&sum)[TM][TN], int2 origin, int2 first, int M, int N, int ldc,
                           float alpha, float beta) {
  const int i = e * 4 / TN, j = e * 4 % TN;
  const int row = origin.x + first.x + i / 4 * 4 * lanes_m + i % 4, col = origin.y + first.y + j * lanes_n;
  if (row < M) store4(&C[(long long)row * ldc + col], &sum[i][j], N - col, ldc % 4 == 0, alpha, beta);
}
