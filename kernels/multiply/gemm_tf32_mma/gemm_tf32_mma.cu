// FP32 matrix multiply on TF32 tensor cores: C = alpha A B + beta C, accumulated in FP32, by mma.sync.
//
// Idea    Tensor cores read floats too and leave out the last 13 bits: the range of FP32 with the precision of FP16.
//         A warp's threads together hold 16 x 8 pieces of A and 8 x 8 pieces of B; one instruction multiplies them.
//         ldmatrix moves rows of 16 bytes whatever they hold, so it hands out A; B it would have to transpose, which it
//         does by 16-bit elements only, so B is read float by float. cp.async copies later steps of K meanwhile.
// Dials   BM, BN, BK   the block's tile, and how far a step goes along K.
//         WM, WN       a warp's tile, in registers. STAGES   steps of K held in shared memory at once.
//         PAD          rows of shared memory longer, by 16 bytes in A and 32 in B, or not. Rows of matrices that do not
//                      start at multiples of 16 bytes are copied from the multiple before, and moved within this room.
// Watch   Half the roof of BF16, reached from matrices of floats: what is given up is in the verified error, a
//         thousand times that of FP32. Without PAD both arrays conflict, B's four rows of k in the same banks.
// Source  NVIDIA, "Parallel Thread Execution ISA", matrix multiply-accumulate instructions.
//         A. Kerr, D. Merrill, J. Demouth, J. Tran, "CUTLASS: Fast Linear Algebra in CUDA C++", NVIDIA, 2017.
//
// Row major, any M, N, K: A is M x K, B is K x N, C is M x N; their rows are lda, ldb and ldc floats apart.
// A and B start at multiples of 16 bytes.
constexpr int warps_n = BN / WN, threads = 32 * (BM / WM) * warps_n;
constexpr int row_a = BK + 4 * PAD, row_b = BN + 8 * PAD;
constexpr int stage = BM * row_a + BK * row_b;

__device__ unsigned address(const void* shared) { return (unsigned)__cvta_generic_to_shared(shared); }

// Copies 16 bytes in the background; zeros for floats that are not inside.
__device__ void copy(float* to, const float* from, int inside) {
  const int bytes = 4 * max(0, min(4, inside));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address(to)), "l"(from), "r"(bytes));
}

// Copies a tile of a matrix, with so many rows and columns of it left. Where rows do not start at 16 bytes, each is
// copied from the 16 bytes on in which it starts, with one more at its end.
template <bool aligned, int tile_rows, int tile_cols, int tile_row>
__device__ void copy_tile(float* tile, const float* matrix, int row, int rows, int cols) {
  const auto copy_unit = [&](int y, int x) {
    const float* from = &matrix[(long long)y * row + x];
    const int before = aligned ? 0 : (unsigned long long)from / 4 % 4;
    copy(&tile[y * tile_row + x], from - before, y < rows ? cols - x + before : 0);
  };
#pragma unroll(aligned ? 8 : 1)
  for (int i = 0; i < tile_rows * tile_cols / (4 * threads); ++i) {
    const int e = (i * threads + threadIdx.x) * 4;
    copy_unit(e / tile_cols, e % tile_cols);
  }
#pragma unroll 1
  for (int y = threadIdx.x; !aligned && y < tile_rows; y += threads) copy_unit(y, tile_cols);
}

// The four floats that start so many floats into two times four, as bits.
__device__ uint4 shifted(const uint4& low, const uint4& high, unsigned by) {
  unsigned word[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
  for (int i = 0; i < 6; ++i) word[i] = by & 2 ? word[i + 2] : word[i];
#pragma unroll
  for (int i = 0; i < 4; ++i) word[i] = by & 1 ? word[i + 1] : word[i];
  return {word[0], word[1], word[2], word[3]};
}

// Moves rows that were copied from `start` on, modulo 4, and are `row` apart, into place. A warp has a row as a whole, from
// left to right: a unit is overwritten after the one before it has been moved.
template <int tile_rows, int tile_cols, int tile_row>
__device__ void move_tile(float* tile, int start, int row) {
  constexpr int units = tile_cols / 4, warps = threads / 32, rows = (tile_rows + warps - 1) / warps;
#pragma unroll 2
  for (int i = 0; i < (rows * units + 31) / 32; ++i) {
    const int e = i * 32 + threadIdx.x % 32, y = e / units * warps + threadIdx.x / 32;
    uint4* unit = (uint4*)&tile[y * tile_row + e % units * 4];
    uint4 low, high;
    if (y < tile_rows) low = unit[0], high = unit[1];
    __syncwarp();
    if (y < tile_rows) unit[0] = shifted(low, high, (unsigned)(start + y * row) % 4);
    __syncwarp();
  }
}

// Four pieces of 8 rows x 4 floats: lanes 8 i to 8 i + 7 name the rows of the i-th.
__device__ void load(unsigned (&piece)[4], const float* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(piece[0]), "=r"(piece[1]), "=r"(piece[2]), "=r"(piece[3]) : "r"(address(row)));
}

// sum += a b: 16 x 8 times 8 x 8.
__device__ void multiply(float (&sum)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Two outputs side by side, cols of them inside C; in one store where rows start at 8 bytes. With beta 0, C may hold
// anything, even NaN.
__device__ void store2(float* out, const float* sum, int cols, bool aligned, float alpha, float beta) {
  const auto scaled = [&](int j, float c) { return beta == 0.0f ? alpha * sum[j] : alpha * sum[j] + beta * c; };
  if (aligned && cols >= 2) {
    const float2 c = beta == 0.0f ? float2{} : *(const float2*)out;
    *(float2*)out = {scaled(0, c.x), scaled(1, c.y)};
  } else {
    if (cols > 0) out[0] = scaled(0, out[0]);
    if (cols > 1) out[1] = scaled(1, out[1]);
  }
}

extern "C" __global__ void __launch_bounds__(threads)
    gemm_tf32_mma(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int N, int K,
                  int lda, int ldb, int ldc, float alpha, float beta) {
  extern __shared__ __align__(16) float stages[];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
  const int row = warp / warps_n * WM, col = warp % warps_n * WN;  // of the warp's tile in the block's
  const bool aligned = (lda | ldb) % 4 == 0;  // every row starts at 16 bytes

  const auto copy_step = [&](int step) {
    float* As = stages + step % STAGES * stage;
    const float* a = A + (long long)row0 * lda + step * BK;
    const float* b = B + (long long)step * BK * ldb + col0;
    const int depth = K - step * BK;
    if (aligned) {
      copy_tile<true, BM, BK, row_a>(As, a, lda, M - row0, depth);
      copy_tile<true, BK, BN, row_b>(As + BM * row_a, b, ldb, depth, N - col0);
    } else {
      copy_tile<false, BM, BK, row_a>(As, a, lda, M - row0, depth);
      copy_tile<false, BK, BN, row_b>(As + BM * row_a, b, ldb, depth, N - col0);
    }
    asm volatile("cp.async.commit_group;");
  };

  float sum[WM / 16][WN / 8][4] = {};
#pragma unroll 1
  for (int step = 0; step < STAGES - 1; ++step) copy_step(step);
#pragma unroll 1
  for (int step = 0; step * BK < K; ++step) {
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2));  // this thread's copies of the step are done,
    __syncthreads();                                            // and everyone's; the last step is read
    copy_step(step + STAGES - 1);                               // so its place is free
    if (!aligned) {  // what lies in front of a matrix's row is moved away
      float* tile = stages + step % STAGES * stage;
      move_tile<BM, BK, row_a>(tile, row0 * lda, lda);
      move_tile<BK, BN, row_b>(tile + BM * row_a, step * BK * ldb, ldb);
      __syncthreads();
    }
    const float* As = stages + step % STAGES * stage + (row + lane % 16) * row_a + lane / 16 * 4;
    const float* Bs = stages + step % STAGES * stage + BM * row_a + lane % 4 * row_b + col + lane / 4;
#pragma unroll
    for (int k = 0; k < BK; k += 8) {
      unsigned a[WM / 16][4], b[WN / 8][2];
#pragma unroll
      for (int i = 0; i < WM / 16; ++i) load(a[i], &As[i * 16 * row_a + k]);
#pragma unroll
      for (int j = 0; j < WN / 4; ++j) b[j / 2][j % 2] = __float_as_uint(Bs[(k + j % 2 * 4) * row_b + j / 2 * 8]);
#pragma unroll
      for (int i = 0; i < WM / 16; ++i)
#pragma unroll
        for (int j = 0; j < WN / 8; ++j) multiply(sum[i][j], a[i], b[j]);
    }
  }

  const int y0 = row0 + row + lane / 4, x0 = col0 + col + lane % 4 * 2;
#pragma unroll
  for (int i = 0; i < WM / 16; ++i)
#pragma unroll
    for (int j = 0; j < WN / 8; ++j)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int y = y0 + i * 16 + half * 8, x = x0 + j * 8;
        if (y < M) store2(&C[(long long)y * ldc + x], &sum[i][j][2 * half], N - x, ldc % 2 == 0, alpha, beta);
      }
}
