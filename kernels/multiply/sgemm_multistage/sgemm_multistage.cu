// Multi-stage matrix multiply: C = alpha A B + beta C, copying later steps of K while this one is multiplied.
//
// Idea    Shared memory holds STAGES steps of K. cp.async starts a copy from global to shared memory, past the registers,
//         and does not wait; the block multiplies one step while the next ones are on their way. Otherwise this is the
//         2-D register tile: TM x TN outputs per thread.
// Dials   BM, BN, BK   the block's tile, and how far a step goes along K. TM, TN   a thread's outputs.
//         PAD_A        unused columns behind each row of A's tile, in fours: four steps of k are one 128-bit load.
//         STAGES       steps held at once: 1 copies, waits and multiplies; 2 is double buffering.
// Watch   The same FLOPs, bytes and dots for every STAGES, only faster: what was waiting for memory is hidden. From 2 to
//         4 little is left to hide, and each stage takes shared memory, which may cost a block on every SM.
// Source  NVIDIA, "CUDA C++ Programming Guide", asynchronous data copies; A. Kerr et al., "CUTLASS", 2017.
//
// Row major, any M, N, K: A is M x K, B is K x N, C is M x N; their rows are lda, ldb and ldc floats apart.
constexpr int threads_x = BN / TN, threads_y = BM / TM, threads = threads_x * threads_y;
constexpr int row_a = BK + PAD_A;
constexpr int stage = BM * row_a + BK * BN;
// Fours of k: more would spill on some GPUs, where small tiles get few registers or one stage waits for all of a step.
constexpr int unrolled = TM * TN <= 16 ? 2 : STAGES == 1 && BK == 32 ? 4 : BK / 4;

// Copies a float from global to shared memory in the background; zero, if it is outside the matrix.
__device__ void copy(float* to, const float* from, bool inside) {
  const unsigned target = (unsigned)__cvta_generic_to_shared(to);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(target), "l"(from), "r"(inside ? 4 : 0));
}

extern "C" __global__ void __launch_bounds__(threads)
    sgemm_multistage(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int N,
                     int K, int lda, int ldb, int ldc, float alpha, float beta) {
  extern __shared__ __align__(16) float stages[];
  const int tx = threadIdx.x, ty = threadIdx.y, t = ty * threads_x + tx;
  const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;

  const auto copy_step = [&](int step) {
    float *As = stages + step % STAGES * stage, *Bs = As + BM * row_a;
    // Elements outside the matrices count as zero, so ragged edges need no special loop.
#pragma unroll
    for (int e = t; e < BM * BK; e += threads) {
      const int row = row0 + e / BK, k = step * BK + e % BK;
      copy(&As[e / BK * row_a + e % BK], &A[(long long)row * lda + k], row < M && k < K);
    }
#pragma unroll
    for (int e = t; e < BK * BN; e += threads) {
      const int k = step * BK + e / BN, col = col0 + e % BN;
      copy(&Bs[e], &B[(long long)k * ldb + col], k < K && col < N);
    }
    asm volatile("cp.async.commit_group;");
  };

  float sum[TM][TN] = {};
#pragma unroll 1
  for (int step = 0; step < STAGES - 1; ++step) copy_step(step);
#pragma unroll 1
  for (int step = 0; step * BK < K; ++step) {
    copy_step(step + STAGES - 1);
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 1));  // this thread's copies of the step are done,
    __syncthreads();                                            // and everyone's
    const float *As = stages + step % STAGES * stage, *Bs = As + BM * row_a;
#pragma unroll(unrolled)
    for (int k4 = 0; k4 < BK; k4 += 4) {
      // A thread's rows and columns are spread over the tile: neighbouring lanes read neighbouring columns.
      float a[TM][4], b[TN];
#pragma unroll
      for (int i = 0; i < TM; ++i) *(float4*)a[i] = *(const float4*)&As[(ty + i * threads_y) * row_a + k4];
#pragma unroll
      for (int k = 0; k < 4; ++k) {
#pragma unroll
        for (int j = 0; j < TN; ++j) b[j] = Bs[(k4 + k) * BN + tx + j * threads_x];
#pragma unroll
        for (int i = 0; i < TM; ++i)
#pragma unroll
          for (int j = 0; j < TN; ++j) sum[i][j] += a[i][k] * b[j];
      }
    }
    __syncthreads();  // everyone has read the step before its place is filled again
  }

  const int rows = M - row0 - ty, cols = N - col0 - tx;  // of C from the thread's first on
  float* out = &C[(long long)(row0 + ty) * ldc + col0 + tx];
#pragma unroll
  for (int i = 0; i < TM; ++i) {
#pragma unroll
    for (int j = 0; j < TN; ++j) {  // with beta 0, C may hold anything, even NaN
      const int skip = j * threads_x;
      if (i * threads_y < rows && skip < cols)
        out[skip] = beta == 0.0f ? alpha * sum[i][j] : alpha * sum[i][j] + beta * out[skip];
    }
    out += (long long)threads_y * ldc;
  }
}
