// BF16 matrix multiply on tensor cores: C = alpha A B + beta C, accumulated in FP32, by mma.sync.
//
// Idea    A warp's threads together hold 16 x 16 pieces of A and 16 x 8 pieces of B in registers, and one instruction
//         multiplies them: 2,048 multiply-adds where an FFMA of the warp does 32. ldmatrix hands the pieces out: each
//         lane names a row of 16 bytes in shared memory and gets the elements that mma wants of it. cp.async copies
//         later steps of K meanwhile.
// Dials   BM, BN, BK   the block's tile, and how far a step goes along K.
//         WM, WN       a warp's tile, in registers. STAGES   steps of K held in shared memory at once.
//         PAD          rows of shared memory longer by 16 bytes, or not. Rows of matrices that do not
//                      start at multiples of 16 bytes are copied from the multiple before, and moved within this room.
// Watch   Another roof, many times higher, and the slopes of L2 and shared memory meet it further right. Without PAD
//         eight rows of ldmatrix lie in the same banks, and the point falls to half or less.
// Source  NVIDIA, "Parallel Thread Execution ISA", matrix multiply-accumulate instructions.
//         A. Kerr, D. Merrill, J. Demouth, J. Tran, "CUTLASS: Fast Linear Algebra in CUDA C++", NVIDIA, 2017.
//
// Row major, any M, N, K: A is M x K, B is K x N, C is M x N; their rows are lda, ldb and ldc elements apart.
// A and B start at multiples of 16 bytes.
using bf16 = unsigned short;  // its bits
constexpr int warps_n = BN / WN, threads = 32 * (BM / WM) * warps_n;
constexpr int row_a = BK + 8 * PAD, row_b = BN + 8 * PAD;
constexpr int stage = BM * row_a + BK * row_b;

__device__ unsigned address(const void* shared) { return (unsigned)__cvta_generic_to_shared(shared); }

// Copies 16 bytes in the background; zeros for elements that are not inside.
__device__ void copy(bf16* to, const bf16* from, int inside) {
  const int bytes = 2 * max(0, min(8, inside));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address(to)), "l"(from), "r"(bytes));
}

// Copies a tile of a matrix, with so many rows and columns of it left. Where rows do not start at 16 bytes, each is
// copied from the 16 bytes on in which it starts, with one more at its end.
template <bool aligned, int tile_rows, int tile_cols, int tile_row>
__device__ void copy_tile(bf16* tile, const bf16* matrix, int row, int rows, int cols) {
  const auto copy_unit = [&](int y, int x) {
    const bf16* from = &matrix[(long long)y * row + x];
    const int before = aligned ? 0 : (unsigned long long)from / 2 % 8;
    copy(&tile[y * tile_row + x], from - before, y < rows ? cols - x + before : 0);
  };
#pragma unroll(aligned ? 16 : 1)
  for (int i = 0; i < tile_rows * tile_cols / (8 * threads); ++i) {
    const int e = (i * threads + threadIdx.x) * 8;
    copy_unit(e / tile_cols, e % tile_cols);
  }
#pragma unroll 1
  for (int y = threadIdx.x; !aligned && y < tile_rows; y += threads) copy_unit(y, tile_cols);
}

// The eight elements that start so many elements into two times eight.
__device__ uint4 shifted(const uint4& low, const uint4& high, unsigned by) {
  unsigned word[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
  for (int i = 0; i < 6; ++i) word[i] = by & 4 ? word[i + 2] : word[i];
#pragma unroll
  for (int i = 0; i < 5; ++i) word[i] = by & 2 ? word[i + 1] : word[i];
#pragma unroll
  for (int i = 0; i < 4; ++i) word[i] = __funnelshift_r(word[i], word[i + 1], (by & 1) * 16);
  return {word[0], word[1], word[2], word[3]};
}

// Moves rows that were copied from `start` on, modulo 8, and are `row` apart, into place. A warp has a row as a whole, from
// left to right: a unit is overwritten after the one before it has been moved.
template <int tile_rows, int tile_cols, int tile_row>
__device__ void move_tile(bf16* tile, int start, int row) {
  constexpr int units = tile_cols / 8, warps = threads / 32, rows = (tile_rows + warps - 1) / warps;
#pragma unroll 2
  for (int i = 0; i < (rows * units + 31) / 32; ++i) {
    const int e = i * 32 + threadIdx.x % 32, y = e / units * warps + threadIdx.x / 32;
    uint4* unit = (uint4*)&tile[y * tile_row + e % units * 8];
    uint4 low, high;
    if (y < tile_rows) low = unit[0], high = unit[1];
    __syncwarp();
    if (y < tile_rows) unit[0] = shifted(low, high, (unsigned)(start + y * row) % 8);
    __syncwarp();
  }
}

// Four pieces of 8 x 8: lanes 8 i to 8 i + 7 name the rows of the i-th. With ".trans" a lane gets a column's elements.
#define LDMATRIX(trans, piece, row)                                                                      \
  asm volatile("ldmatrix.sync.aligned.m8n8.x4" trans ".shared.b16 {%0,%1,%2,%3}, [%4];"                  \
               : "=r"(piece[0]), "=r"(piece[1]), "=r"(piece[2]), "=r"(piece[3]) : "r"(address(row)))

// sum += a b: 16 x 16 times 16 x 8.
__device__ void multiply(float (&sum)[4], const unsigned (&a)[4], const unsigned* b) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
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
    gemm_bf16_mma(const bf16* __restrict__ A, const bf16* __restrict__ B, float* __restrict__ C, int M, int N, int K,
                  int lda, int ldb, int ldc, float alpha, float beta) {
  extern __shared__ __align__(16) bf16 stages[];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
  const int row = warp / warps_n * WM, col = warp % warps_n * WN;  // of the warp's tile in the block's
  const bool aligned = (lda | ldb) % 8 == 0;  // every row starts at 16 bytes

  const auto copy_step = [&](int step) {
    bf16* As = stages + step % STAGES * stage;
    const bf16* a = A + (long long)row0 * lda + step * BK;
    const bf16* b = B + (long long)step * BK * ldb + col0;
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
      bf16* tile = stages + step % STAGES * stage;
      move_tile<BM, BK, row_a>(tile, row0 * lda, lda);
      move_tile<BK, BN, row_b>(tile + BM * row_a, step * BK * ldb, ldb);
      __syncthreads();
    }
    const bf16* As = stages + step % STAGES * stage + (row + lane % 16) * row_a + lane / 16 * 8;
    const bf16* Bs = stages + step % STAGES * stage + BM * row_a + lane % 16 * row_b + col + lane / 16 * 8;
#pragma unroll
    for (int k = 0; k < BK; k += 16) {
      unsigned a[WM / 16][4], b[WN / 16][4];  // b: two pieces of 16 x 8
#pragma unroll
      for (int i = 0; i < WM / 16; ++i) LDMATRIX("", a[i], &As[i * 16 * row_a + k]);
#pragma unroll
      for (int j = 0; j < WN / 16; ++j) LDMATRIX(".trans", b[j], &Bs[k * row_b + j * 16]);
#pragma unroll
      for (int i = 0; i < WM / 16; ++i)
#pragma unroll
        for (int j = 0; j < WN / 8; ++j) multiply(sum[i][j], a[i], &b[j / 2][j % 2 * 2]);
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
