// FP32 matrix multiply on Hopper's TF32 tensor cores: C = alpha A B + beta C, accumulated in FP32, by wgmma and TMA.
//
// Idea    wgmma reads two matrices from shared memory, but of floats only such whose k is contiguous: A's rows are, B's
//         columns are not. So the transposed product is computed, C' = B' A': A is the second matrix, by TMA, and B',
//         the first, comes from registers, where each thread puts its own elements of B.
//         One thread asks TMA for tiles; barriers in shared memory pass a stage to and fro: full, when its bytes have
//         arrived; empty, when it has been read. While one step is multiplied, B of the next is read into registers.
// Dials   BM, BN       the block's tile. A warpgroup multiplies 64 or 128 columns of it; a step is 32 floats of K.
//         STAGES       steps of K held in shared memory at once.
//         CLUSTER      blocks, side by side, that read the same rows of A: each fetches a part for all.
//         BLOCKS       persistent blocks per SM. 0: one block per tile.
//         SPLIT        the last tiles, too few for all blocks, are cut along K into up to so many pieces.
//         TMA          0: threads copy A and B, as many bytes at a time as rows start at multiples of. TMA wants 16.
//         STAGED       outputs go to shared memory, and TMA writes them out while threads bring the next ones.
//         GROUP        rows of tiles that run at a time, so that L2 serves them.
// Watch   TMA swizzles: the 16-byte units of each row of 128 bytes change places by the row's number. A quad of threads
//         reads four rows of B, and eight quads four columns each of two units that are 64 bytes apart: 32 banks.
//         That permutes the rows of C', so a thread's outputs are rows of C two apart and columns four apart.
// Source  NVIDIA, "Parallel Thread Execution ISA", asynchronous warpgroup level matrix instructions, tensor copies.
//         V. Thakkar, P. Ramani, C. Cecka et al., "CUTLASS" 3: warp-specialised kernels, NVIDIA, 2023.
//
// Row major, any M, N, K: A is M x K, B is K x N, C is M x N; their rows are lda, ldb and ldc floats apart, with TMA by
// multiples of four.
#include "../hopper.cuh"
#include "../last_wave.cuh"

constexpr int groups = BN == 64 ? 1 : 2;  // warpgroups that multiply; one more copies
constexpr int threads = 128 * (groups + 1), blocks_n = BN / 64 / groups;
constexpr int BK = 32;                     // a swizzled row of 128 bytes
constexpr int bytes_a = 4 * BM * BK, panel = 4 * BK * 32, stage = bytes_a + 4 * BK * BN;
constexpr bool crowded = groups == 2 && blocks_n * BM == 256;  // the sums of a thread take half its registers
constexpr int box_bytes = 32 * 128;                // of outputs that are staged: 32 rows of 32

// sum += B' A': 64 columns of B, BM rows of A, 8 steps of k.
#define WGMMA(rows, list, b, a, ...)                                                                              \
  asm volatile("wgmma.mma_async.sync.aligned.m64n" #rows "k8.f32.tf32.tf32 {" list "}, {" b "}, " a ", 1, 1, 1;" \
               : __VA_ARGS__ : "r"(B[0]), "r"(B[1]), "r"(B[2]), "r"(B[3]), "l"(A))
__device__ void multiply(float (&sum)[BM / 2], const unsigned (&B)[4], unsigned long long A) {
  if constexpr (BM == 64) WGMMA(64, LIST30 "%30,%31", "%32,%33,%34,%35", "%36", SUMS32);
  else if constexpr (BM == 128) WGMMA(128, LIST60 "%60,%61,%62,%63", "%64,%65,%66,%67", "%68", SUMS64);
  else if constexpr (BM == 192)
    WGMMA(192, LIST90 "%90,%91,%92,%93,%94,%95", "%96,%97,%98,%99", "%100", SUMS96);
  else WGMMA(256, LIST120 "%120,%121,%122,%123,%124,%125,%126,%127", "%128,%129,%130,%131", "%132", SUMS128);
}

// A cluster's tiles stand side by side. Clusters go down a column of `group` tiles, then right: those that run at a time
// share rows and columns.
struct Tiles {
  int down, across, rows;
  __device__ Tiles(int M, int N, int group)
      : down((M + BM - 1) / BM), across((N + BN * CLUSTER - 1) / (BN * CLUSTER)), rows(group) {}
  __device__ int count() const { return down * across; }
  __device__ int2 origin(int number, int rank) const {  // row and column of C
    const int top = number / (rows * across) * rows, height = min(down - top, rows), n = number - top * across;
    return {(top + n % height) * BM, (n / height * CLUSTER + rank) * BN};
  }
};

// One thread asks for a step's tiles as soon as their stage is empty in every block that A goes to.
__device__ void copy_step(unsigned a, unsigned full, const TensorMap& A, const TensorMap& B, int2 origin, int rank,
                          int k0) {
  constexpr int part = BM / CLUSTER;
  expect(full, stage);
  if constexpr (CLUSTER == 1) copy(a, A, k0, origin.x, full);
  else copy_to_all(a + rank * part * 128, A, k0, origin.x + rank * part, full, CLUSTER);
  for (int j = 0; j < BN / 32; ++j) copy(a + bytes_a + j * panel, B, origin.y + j * 32, k0, full);
}

// Without TMA all threads of a warpgroup copy them.
__device__ void copy_step(unsigned a, const float* A, const float* B, int2 origin, int M, int N, int K, int lda, int ldb,
                          int k0) {
  const float *tile_a = A + (long long)origin.x * lda + k0, *tile_b = B + (long long)k0 * ldb + origin.y;
  copy_rows<BM>(a, (const char*)tile_a, 4 * lda, M - origin.x, 4 * (K - k0));
  for (int j = 0; j < BN; j += 32)
    copy_rows<BK>(a + bytes_a + j / 32 * panel, (const char*)(tile_b + j), 4 * ldb, K - k0, 4 * (N - origin.y - j));
}

// The columns of B, of 32 in a panel, that a thread holds in its two rows of B': four apart.
__device__ int column_of(int lane, int warp, int half) {
  return warp % 2 * 8 + half * 4 + lane / 16 * 16 + lane / 4 % 4;
}

// A thread's elements of B' for a step: of each 8 of k the two that are four apart, of two columns.
__device__ void load(unsigned (&piece)[blocks_n][BK / 8][4], unsigned panels, int lane, int warp) {
#pragma unroll
  for (int part = 0; part < 4; ++part) {
    const int k = lane % 4 + part / 2 * 4, column = column_of(lane, warp, part % 2);
    const unsigned from = panels + warp / 2 * panel + k * 128 + ((column / 4) ^ k) * 16 + column % 4 * 4;
#pragma unroll
    for (int i = 0; i < blocks_n; ++i)
#pragma unroll
      for (int step = 0; step < BK / 8; ++step)
        asm volatile("ld.shared.b32 %0, [%1];" : "=r"(piece[i][step][part]) : "r"(from + 2 * i * panel + step * 1024));
  }
}

// beta 0: C may hold anything, even NaN.
__device__ void store_tile(const float (&sum)[blocks_n][BM / 2], float* C, int2 origin, int M, int N, int ldc,
                           float alpha, float beta) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
#pragma unroll
  for (int i = 0; i < blocks_n; ++i)
#pragma unroll
    for (int j = 0; j < BM / 2; ++j) {
      const int y = origin.x + lane % 4 * 2 + j / 4 * 8 + j % 2;
      const int x = origin.y + warp / 2 * 32 + i * 64 + column_of(lane, warp, j / 2 % 2);
      if (y >= M || x >= N) continue;
      float* out = &C[(long long)y * ldc + x];
      *out = beta == 0.0f ? alpha * sum[i][j] : alpha * sum[i][j] + beta * *out;
    }
}

// By pairs of boxes of 32 x 32, two pairs in turn, swizzled as TMA wants them. Half of the lanes bring odd rows first, so
// that no two meet in a bank. add: to what C holds.
__device__ void stage_tile(const float (&sum)[blocks_n][BM / 2], unsigned boxes, const TensorMap& C, int2 origin,
                           int barrier, float alpha, bool add) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
  const bool first = threadIdx.x % 128 == 0, odd_first = lane / 16;
#pragma unroll
  for (int i = 0; i < blocks_n; ++i)
#pragma unroll
    for (int row = 0; row < BM; row += 32) {
      const unsigned pair = boxes + row / 32 % 2 * 2 * box_bytes;
      if (first) wait_stores_read<1>();
      sync_named(barrier, 128);
#pragma unroll
      for (int j = 0; j < 16; ++j) {
        const float x = odd_first ? sum[i][row / 2 + (j ^ 1)] : sum[i][row / 2 + j];
        const int y = lane % 4 * 2 + (j % 2 ^ odd_first), column = column_of(lane, warp, j / 2 % 2);
        asm volatile("st.shared.f32 [%0], %1;"
                     ::"r"(pair + warp / 2 * box_bytes + (y + j / 4 * 8) * 128 + ((column / 4) ^ y) * 16 + column % 4 * 4),
                       "f"(alpha * x) : "memory");
      }
      fence_stores();
      sync_named(barrier, 128);
      if (first) {
        for (int half = 0; half < 2; ++half)
          if (add) add_box(pair + half * box_bytes, C, origin.y + i * 64 + half * 32, origin.x + row);
          else store_box(pair + half * box_bytes, C, origin.y + i * 64 + half * 32, origin.x + row);
        commit_stores();
      }
    }
}

extern "C" __global__ void __launch_bounds__(threads, 1)
    gemm_tf32_wgmma(const __grid_constant__ TensorMap A_map, const __grid_constant__ TensorMap B_map,
                    const __grid_constant__ TensorMap C_map, const float* __restrict__ A, const float* __restrict__ B,
                    float* __restrict__ C, int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta,
                    int GROUP, int* stored) {
  extern __shared__ __align__(1024) char shared[];
  const unsigned stages = address(shared), boxes = stages + STAGES * stage;
  const unsigned full = boxes + (STAGED ? 4 * groups * box_bytes : 0), empty = full + 8 * STAGES;
  if (threadIdx.x == 0) {
    for (int s = 0; s < STAGES; ++s) {
      init(full + 8 * s, TMA ? 1 : 128);
      init(empty + 8 * s, groups * CLUSTER);
    }
    fence_init();
  }
  cluster_sync();

  const Tiles tiles(M, N, GROUP);
  const int group = threadIdx.x / 128, steps = (K + 2 * BK - 1) / (2 * BK), rank = blockIdx.x % CLUSTER;
  const Pieces pieces(tiles.count(), steps, 256 / BK, blockIdx.x / CLUSTER, gridDim.x / CLUSTER);  // of pairs of steps
  unsigned n = 0;  // steps since the block began

  if (group == groups) {
    if constexpr (crowded) asm volatile("setmaxnreg.dec.sync.aligned.u32 56;");
    if (!TMA || threadIdx.x % 128 == 0)
      for (int i = 0; i < pieces.count(); ++i) {
        const Piece piece = pieces[i];
        const int2 origin = tiles.origin(piece.tile, rank);
        for (int step = 2 * piece.begin; step < 2 * (piece.begin + piece.steps); ++step, ++n) {
          const unsigned to = stages + stage_of(n) * stage;
          wait(empty + 8 * stage_of(n), parity_of(n) ^ 1);
          if constexpr (TMA) copy_step(to, full + 8 * stage_of(n), A_map, B_map, origin, rank, step * BK);
          else copy_step(to, A, B, origin, M, N, K, lda, ldb, step * BK), pass_copies(full, n);
        }
      }
    if constexpr (!TMA) pass_last_copies(full, n);
  } else {
    if constexpr (crowded) asm volatile("setmaxnreg.inc.sync.aligned.u32 224;");
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
    for (int i = 0; i < pieces.count(); ++i) {
      const Piece piece = pieces[i];
      float sum[blocks_n][BM / 2] = {};
      unsigned even[blocks_n][BK / 8][4], odd[blocks_n][BK / 8][4];
      const auto take_step = [&](unsigned (&of_b)[blocks_n][BK / 8][4], bool first_step) {
        const unsigned a = stages + stage_of(n) * stage;
        wait(full + 8 * stage_of(n), parity_of(n));
        load(of_b, a + bytes_a + group * blocks_n * 2 * panel, lane, warp);
        wgmma_begin();
#pragma unroll
        for (int k = 0; k < BK / 8; ++k)
#pragma unroll
          for (int i = 0; i < blocks_n; ++i) multiply(sum[i], of_b[i][k], matrix(a + k * 32));
        wgmma_commit();
        wgmma_wait<1>();
        if (!first_step && threadIdx.x % 128 < CLUSTER)  // the step before has been read
          arrive(empty + 8 * stage_of(n - 1), threadIdx.x % 128);
        ++n;
      };
      for (int step = 0; step < piece.steps; ++step) {  // each with registers of its own, which wgmma may still read
        take_step(even, step == 0);
        take_step(odd, false);
      }
      wgmma_wait<0>();
      if (threadIdx.x % 128 < CLUSTER) arrive(empty + 8 * stage_of(n - 1), threadIdx.x % 128);
      const int2 origin = tiles.origin(piece.tile, rank), mine = {origin.x, origin.y + group * blocks_n * 64};
      store_piece(piece, &stored[(piece.tile * CLUSTER + rank) * groups + group], 1 + group, [&](bool adds) {
        if (STAGED && N % 4 == 0 && (adds || beta == 0.0f || beta == 1.0f))
          stage_tile(sum, boxes + group * 4 * box_bytes, C_map, mine, 1 + group, alpha, adds || beta == 1.0f);
        else store_tile(sum, C, mine, M, N, ldc, alpha, beta);
      });
    }
    if (STAGED && threadIdx.x % 128 == 0) wait_stores_read<0>();
  }
  cluster_sync();  // the shared memory of a block that has ended takes no more copies
}
