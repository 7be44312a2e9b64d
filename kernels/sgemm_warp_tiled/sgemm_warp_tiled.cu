// Warp-tiled matrix multiply: C = alpha A B + beta C, with tiles for the block, the warp and the thread.
//
// Idea    A block's BM x BN tile of C is cut into warp tiles, a warp's into thread tiles of registers, so every level
//         of memory feeds a level that reuses it. cp.async copies later steps of K to shared memory, past the
//         registers, while this one is multiplied. A keeps its rows: four steps of k are one 128-bit load.
// Dials   BM, BN, BK   the block's tile, and how far a step goes along K.
//         WM, WN       a warp's tile. TM, TN   a thread's, in registers: WM/TM x WN/TN are the warp's 32 lanes.
//         STAGES       steps of K held in shared memory at once; all but one are on their way.
// Watch   The point comes closest to the FP32 roof of all. A larger thread tile loads less from shared memory for each
//         FMA and pays in registers, hence in occupancy: that it is fastest with an eighth of the warps is no mistake.
// Source  A. Kerr, D. Merrill, J. Demouth, J. Tran, "CUTLASS: Fast Linear Algebra in CUDA C++", NVIDIA, 2017.
//
// Row major, any M, N, K: A is M x K, B is K x N, C is M x N.
constexpr int lanes_m = WM / TM, lanes_n = WN / TN, warps_n = BN / WN;
constexpr int threads = 32 * (BM / WM) * warps_n;
constexpr int row_a = BK == 8 ? 8 : BK + 8;  // an odd number of 32-byte sectors: neighbouring rows lie in other banks
constexpr int stage = BM * row_a + BK * BN;
constexpr int resident = TM * TN > 64 ? 256 : 512;  // threads an SM should hold: 255 or 128 registers for each

// Copies some floats from global to shared memory in the background, or zeros.
template <int floats>
__device__ void copy(float* to, const float* from, bool inside) {
  const unsigned target = (unsigned)__cvta_generic_to_shared(to);
  if constexpr (floats == 4)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(target), "l"(from), "r"(inside ? 16 : 0));
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(target), "l"(from), "r"(inside ? 4 : 0));
}

// Copies the tiles of A and B that start at these addresses, with so many rows, columns and depth of the matrices left.
// Elements outside count as zero, so ragged edges need no special loop.
template <int floats>
__device__ void copy_tiles(float* As, const float* A, const float* B, int K, int N, int rows, int cols, int depth) {
#pragma unroll(floats == 4 ? 16 : 1)
  for (int i = 0; i < BM * BK / (floats * threads); ++i) {
    const int e = (i * threads + threadIdx.x) * floats, row = e / BK, k = e % BK;
    copy<floats>(&As[row * row_a + k], &A[row * K + k], row < rows && k < depth);
  }
  float* Bs = As + BM * row_a;
#pragma unroll(floats == 4 ? 16 : 1)
  for (int i = 0; i < BK * BN / (floats * threads); ++i) {
    const int e = (i * threads + threadIdx.x) * floats, k = e / BN, col = e % BN;
    copy<floats>(&Bs[e], &B[k * N + col], k < depth && col < cols);
  }
}

// beta 0: C may hold anything, even NaN.
__device__ float scaled(float alpha, float sum, float beta, float c) {
  return beta == 0.0f ? alpha * sum : alpha * sum + beta * c;
}

// Up to four outputs of a row, cols of them inside C; in one store where rows start at 16 bytes.
__device__ void store4(float* out, const float* sum, int cols, bool aligned, float alpha, float beta) {
  if (!aligned) {
#pragma unroll
    for (int j = 0; j < 4; ++j)
      if (j < cols) out[j] = scaled(alpha, sum[j], beta, out[j]);
  } else if (cols > 0) {
    const float4 c = beta == 0.0f ? float4{} : *(const float4*)out;
    *(float4*)out = {scaled(alpha, sum[0], beta, c.x), scaled(alpha, sum[1], beta, c.y),
                     scaled(alpha, sum[2], beta, c.z), scaled(alpha, sum[3], beta, c.w)};
  }
}

extern "C" __global__ void __launch_bounds__(threads, threads < resident ? resident / threads : 1)
    sgemm_warp_tiled(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int N,
                     int K, float alpha, float beta) {
  extern __shared__ __align__(16) float stages[];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
  // A 128-bit load needs half the wavefronts where lanes i and i ^ 1, or i and i ^ 2, read the same: the lowest bit of
  // the lane chooses the column, the next one the row.
  const int lane_m = lane / 2 % 2 + lane / (2 * lanes_n) * 2, lane_n = lane % 2 + lane / 4 % (lanes_n / 2) * 2;
  const int row = warp / warps_n * WM + lane_m;      // and every lanes_m-th after it
  const int col = warp % warps_n * WN + lane_n * 4;  // four in a row, and every lanes_n-th four after them
  const bool aligned = K % 4 == 0 && N % 4 == 0;             // every row starts at 16 bytes

  const auto copy_step = [&](int step) {
    float* As = stages + step % STAGES * stage;
    const float* a = A + (long long)row0 * K + step * BK;
    const float* b = B + (long long)step * BK * N + col0;
    if (aligned)
      copy_tiles<4>(As, a, b, K, N, M - row0, N - col0, K - step * BK);
    else
      copy_tiles<1>(As, a, b, K, N, M - row0, N - col0, K - step * BK);
    asm volatile("cp.async.commit_group;");
  };

  float sum[TM][TN] = {};
#pragma unroll 1
  for (int step = 0; step < STAGES - 1; ++step) copy_step(step);
#pragma unroll 1
  for (int step = 0; step * BK < K; ++step) {
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2));  // this thread's copies of the step are done,
    __syncthreads();                                            // and everyone's; the last step is read
    copy_step(step + STAGES - 1);                               // so its place is free
    const float* As = stages + step % STAGES * stage;
    const float* Bs = As + BM * row_a;
#pragma unroll 1  // four steps of k are long enough; the whole loop would crowd the instruction cache
    for (int k4 = 0; k4 < BK; k4 += 4) {
      float a[TM][4];
#pragma unroll
      for (int i = 0; i < TM; ++i) *(float4*)a[i] = *(const float4*)&As[(row + i * lanes_m) * row_a + k4];
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        float b[TN];
#pragma unroll
        for (int j = 0; j < TN; j += 4) *(float4*)&b[j] = *(const float4*)&Bs[(k4 + k) * BN + col + j * lanes_n];
#pragma unroll
        for (int i = 0; i < TM; ++i)
#pragma unroll
          for (int j = 0; j < TN; ++j) sum[i][j] += a[i][k] * b[j];
      }
    }
  }

  const int rows = M - row0 - row, cols = N - col0 - col;  // of C from the thread's first on
  float* out = &C[(long long)(row0 + row) * N + col0 + col];
#pragma unroll
  for (int i = 0; i < TM; ++i) {
#pragma unroll
    for (int j = 0; j < TN; j += 4)
      if (i * lanes_m < rows)
        store4(out + j * lanes_n, &sum[i][j], cols - j * lanes_n, N % 4 == 0, alpha, beta);
    out += (long long)lanes_m * N;
  }
}
