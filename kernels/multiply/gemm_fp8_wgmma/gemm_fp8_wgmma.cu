// FP8 matrix multiply of Hopper: C = alpha A B + beta C of 8-bit numbers, accumulated in FP32, by wgmma and TMA.
//
// Idea    A number of FP8 (e4m3) has a sign, 4 bits of exponent and 3 of digits: half the bytes of BF16, and the tensor cores
//         multiply twice as many at a time. wgmma reads both matrices along K, so B is stored transposed, N x K: its
//         tiles look like A's. The rest is gemm_bf16_wgmma: one thread asks TMA for tiles, and warpgroups of 128 threads
//         have the tensor cores multiply them from shared memory.
// Dials   BM, BN       the block's tile. A warpgroup multiplies 64 or 128 rows of it; a step is 128 elements of K.
//         STAGES       steps of K held in shared memory at once.
//         CLUSTER      blocks, one above the other, that read the same columns of B: each fetches a part for all.
//         BLOCKS       persistent blocks per SM. 0: one block per tile.
//         SPLIT        the last tiles, too few for all blocks, are cut along K into up to so many pieces.
//         TURNS        each warpgroup has a tile of its own, and one writes its outputs while the other multiplies.
//         STAGED       outputs go to shared memory, and TMA writes them out while threads bring the next ones.
//         GROUP        rows of tiles that run at a time, so that L2 serves them.
// Watch   The products take half as long as BF16's, but C is as large: writing it weighs twice as much, and TURNS pays
//         sooner.
//         Sums are FP32 in name alone: the tensor cores of Hopper cut off low digits of sums of FP8 products. An output
//         of 4096 products is off by 0.006 in the root mean square, 12 times as much as when sums of 128 products are
//         added in registers (measured on an H200). cuBLASLt calls it fast accumulation.
// Source  NVIDIA, "Parallel Thread Execution ISA", asynchronous warpgroup level matrix instructions, tensor copies.
//         P. Micikevicius, D. Stosic, N. Burgess et al., "FP8 Formats for Deep Learning", 2022.
//
// A is M x K and B N x K; their rows are a multiple of 16 elements apart, as TMA wants. C is M x N, and its rows are ldc
// elements apart, a multiple of 4; N is even.
#include "../hopper_tiles.cuh"

constexpr int BK = 128;  // a swizzled row
constexpr int bytes_a = BM * BK, stage = bytes_a + BK * BN;

// sum += A B: 64 rows, BN columns, 32 steps of k.
#define WGMMA(columns, list, a, b, ...)                                                                     \
  asm volatile("wgmma.mma_async.sync.aligned.m64n" #columns "k32.f32.e4m3.e4m3 {" list "}, " a ", " b ", 1, " \
               "1, 1;" : __VA_ARGS__ : "l"(A), "l"(B))
__device__ void multiply(float (&sum)[BN / 2], unsigned long long A, unsigned long long B) {
  if constexpr (BN == 64) WGMMA(64, LIST30 "%30,%31", "%32", "%33", SUMS32);
  else if constexpr (BN == 128) WGMMA(128, LIST60 "%60,%61,%62,%63", "%64", "%65", SUMS64);
  else if constexpr (BN == 192) WGMMA(192, LIST90 "%90,%91,%92,%93,%94,%95", "%96", "%97", SUMS96);
  else WGMMA(256, LIST120 "%120,%121,%122,%123,%124,%125,%126,%127", "%128", "%129", SUMS128);
}

// One thread asks for a step's tiles as soon as their stage is empty in every block that B goes to.
__device__ void copy_step(unsigned a, unsigned full, const TensorMap& A, const TensorMap& B, int2 origin, int rank,
                          int k0) {
  const unsigned b = a + bytes_a;
  constexpr int part = BN / CLUSTER;
  expect(full, stage);
  copy(a, A, k0, origin.x, full);
  if constexpr (CLUSTER == 1) copy(b, B, k0, origin.y, full);
  else copy_to_all(b + rank * part * BK, B, k0, origin.y + rank * part, full, CLUSTER);
}

extern "C" __global__ void __launch_bounds__(threads, 1)
    gemm_fp8_wgmma(const __grid_constant__ TensorMap A, const __grid_constant__ TensorMap B,
                   const __grid_constant__ TensorMap C_map, float* __restrict__ C, int M, int N, int K, int ldc,
                   float alpha, float beta, int GROUP, int* stored) {
  extern __shared__ __align__(1024) char shared[];
  const unsigned stages = address(shared), boxes = stages + STAGES * stage;
  const unsigned full = boxes + (STAGED ? 2 * groups * box_bytes : 0), empty = full + 8 * STAGES;
  if (threadIdx.x == 0) {
    for (int s = 0; s < STAGES; ++s) {
      init(full + 8 * s, 1);
      init(empty + 8 * s, readers * CLUSTER);
    }
    fence_init();
  }
  cluster_sync();

  const Tiles tiles(M, N, GROUP);
  const int group = threadIdx.x / 128, steps = (K + BK - 1) / BK, rank = blockIdx.x % CLUSTER;
  const Pieces pieces(tiles.count(), steps, 2048 / BK, blockIdx.x / CLUSTER, gridDim.x / CLUSTER);
  unsigned n = 0;  // steps since the block began

  if (group == groups) {
    if constexpr (crowded) asm volatile("setmaxnreg.dec.sync.aligned.u32 56;");
    if (threadIdx.x % 128 == 0)
      for (int i = 0; i < pieces.count(); ++i) {
        const Piece piece = pieces[i];
        const int2 origin = tiles.origin(piece.tile, rank);
        for (int step = piece.begin; step < piece.begin + piece.steps; ++step, ++n) {
          wait(empty + 8 * stage_of(n), parity_of(n) ^ 1);
          copy_step(stages + stage_of(n) * stage, full + 8 * stage_of(n), A, B, origin, rank, step * BK);
        }
      }
  } else {
    if constexpr (crowded) asm volatile("setmaxnreg.inc.sync.aligned.u32 224;");
    constexpr int turns = TURNS ? 2 : 1, my_turn = 3;  // barriers 3 and 4 pass the tensor cores to and fro
    const int turn = TURNS ? group : 0, row = (TURNS ? 0 : group) * blocks_m * 64;
    if (turn == 1) arrive_named(my_turn, 256);
    if (turn == 1 && pieces.count() > 0) n = pieces[0].steps;
    for (int i = turn; i < pieces.count(); i += turns) {
      const Piece piece = pieces[i];
      float sum[blocks_m][BN / 2] = {};
      if constexpr (TURNS) sync_named(my_turn + turn, 256);
      for (int step = 0; step < piece.steps; ++step, ++n) {
        const unsigned a = stages + stage_of(n) * stage, b = a + bytes_a;
        wait(full + 8 * stage_of(n), parity_of(n));
        wgmma_begin();
#pragma unroll
        for (int k = 0; k < BK; k += 32)
#pragma unroll
          for (int i = 0; i < blocks_m; ++i) multiply(sum[i], matrix(a + (row + i * 64) * BK + k), matrix(b + k));
        wgmma_commit();
        wgmma_wait<1>();
        if (step > 0 && threadIdx.x % 128 < CLUSTER)  // the step before has been read
          arrive(empty + 8 * stage_of(n - 1), threadIdx.x % 128);
      }
      if constexpr (TURNS) arrive_named(my_turn + 1 - turn, 256);
      wgmma_wait<0>();
      if (threadIdx.x % 128 < CLUSTER) arrive(empty + 8 * stage_of(n - 1), threadIdx.x % 128);
      const int2 origin = tiles.origin(piece.tile, rank), mine = {origin.x + row, origin.y};
      store_piece(piece, &stored[(piece.tile * CLUSTER + rank) * readers + row / 64 / blocks_m], 1 + group, [&](bool adds) {
        if (STAGED && N % 4 == 0 && (adds || beta == 0.0f || beta == 1.0f))
          stage_tile(sum, boxes + group * 2 * box_bytes, C_map, mine, 1 + group, alpha, adds || beta == 1.0f);
        else store_tile(sum, C, mine, M, N, ldc, alpha, beta);
      });
      if (TURNS && i + 1 < pieces.count()) n += pieces[i + 1].steps;
    }
    if (STAGED && threadIdx.x % 128 == 0) wait_stores_read<0>();
  }
  cluster_sync();  // the shared memory of a block that has ended takes no more copies
}
