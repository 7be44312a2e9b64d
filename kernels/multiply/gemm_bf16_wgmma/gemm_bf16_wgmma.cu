// BF16 matrix multiply of Hopper: C = alpha A B + beta C, accumulated in FP32, by wgmma and TMA.
//
// Idea    Threads neither copy nor load: one thread asks TMA for tiles, boxes of A and B that arrive in shared memory
//         by themselves, and warpgroups of 128 threads have the tensor cores multiply them from there. Barriers in
//         shared memory pass a stage to and fro: full, when its bytes have arrived; empty, when it has been read.
//         Blocks may be persistent, one per SM, and take one tile of C after the other: while a tile is written out,
//         the copies of the next tile are under way.
// Dials   BM, BN, BK   the block's tile, and how far a step goes along K. A warpgroup multiplies 64 or 128 rows of it.
//         STAGES       steps of K held in shared memory at once.
//         CLUSTER      blocks, one above the other, that read the same columns of B: each fetches a part for all.
//         BLOCKS       persistent blocks per SM. With more than fit at once, a few run alone at the end. 0: one block
//                      per tile, which fills its stages and writes its outputs while the tensor cores wait.
//         SPLIT        the last tiles, too few for all blocks, are cut along K into up to so many pieces.
//         TURNS        each warpgroup has a tile of its own, and one writes its outputs while the other multiplies.
//         TMA          0: threads copy A and B, as many bytes at a time as rows start at multiples of. TMA wants 16.
//         STAGED       outputs go to shared memory, and TMA writes them out while threads bring the next ones.
//         GROUP        rows of tiles that run at a time, so that L2 serves them.
// Watch   The roof of the BF16 tensor cores is 15 times the FP32 one, so L2 and DRAM come close: wider tiles, and
//         clusters, ask them for less. Occupancy hardly matters: a block or two per SM keep the tensor cores busy.
//         The rest is the writing of C: the sums fill the registers, so no product begins before they are stored.
//         Near the roof, power lowers the clock, and with it the rate of the tensor cores.
// Source  NVIDIA, "Parallel Thread Execution ISA", asynchronous warpgroup level matrix instructions, tensor copies.
//         V. Thakkar, P. Ramani, C. Cecka et al., "CUTLASS" 3: warp-specialised kernels, NVIDIA, 2023.
//
// Row major, any M and K, even N: A is M x K, B is K x N, C is M x N. Rows of A, B and C are lda, ldb and ldc elements
// apart: with TMA by multiples of eight, else by even numbers, and K is even too.
// TMA swizzles: the 16-byte units of each row of 128 bytes change places by the row's number, which wgmma undoes, so
// no access of a column of units conflicts.
#include "../hopper_tiles.cuh"

using bf16 = unsigned short;  // its bits
constexpr int chunk = 64;  // BF16 of a swizzled row of 128 bytes
constexpr int bytes_a = 2 * BM * BK, stage = bytes_a + 2 * BK * BN;

// sum += A B: 64 rows, BN columns, 16 steps of k; B's columns are contiguous.
#define WGMMA(columns, list, a, b, ...)                                                                     \
  asm volatile("wgmma.mma_async.sync.aligned.m64n" #columns "k16.f32.bf16.bf16 {" list "}, " a ", " b ", 1, " \
               "1, 1, 0, 1;" : __VA_ARGS__ : "l"(A), "l"(B))
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
  expect(full, stage);
  for (int k = 0; k < BK; k += chunk) copy(a + 2 * k * BM, A, k0 + k, origin.x, full);
  constexpr int part = BK / CLUSTER;
  for (int j = 0; j < BN; j += chunk) {
    const unsigned to = b + 2 * (j * BK + rank * part * chunk);
    if constexpr (CLUSTER == 1) copy(to, B, origin.y + j, k0, full);
    else copy_to_all(to, B, origin.y + j, k0 + rank * part, full, CLUSTER);
  }
}

// Without TMA all threads of a warpgroup copy them.
__device__ void copy_step(unsigned a, const bf16* A, const bf16* B, int2 origin, int M, int N, int K,
                          int lda, int ldb, int k0) {
  const bf16 *tile_a = A + (long long)origin.x * lda + k0, *tile_b = B + (long long)k0 * ldb + origin.y;
  for (int k = 0; k < BK; k += chunk)
    copy_rows<BM>(a + 2 * k * BM, (const char*)(tile_a + k), 2 * lda, M - origin.x, 2 * (K - k0 - k));
  for (int j = 0; j < BN; j += chunk)
    copy_rows<BK>(a + bytes_a + 2 * j * BK, (const char*)(tile_b + j), 2 * ldb, K - k0, 2 * (N - origin.y - j));
}

extern "C" __global__ void __launch_bounds__(threads, 1)
    gemm_bf16_wgmma(const __grid_constant__ TensorMap A_map, const __grid_constant__ TensorMap B_map,
                    const __grid_constant__ TensorMap C_map, const bf16* __restrict__ A, const bf16* __restrict__ B,
                    float* __restrict__ C, int M, int N, int K, int lda, int ldb, int ldc, float alpha, float beta,
                    int GROUP, int* stored) {
  extern __shared__ __align__(1024) char shared[];
  const unsigned stages = address(shared), boxes = stages + STAGES * stage;
  const unsigned full = boxes + (STAGED ? 2 * groups * box_bytes : 0), empty = full + 8 * STAGES;
  if (threadIdx.x == 0) {
    for (int s = 0; s < STAGES; ++s) {
      init(full + 8 * s, TMA ? 1 : 128);
      init(empty + 8 * s, readers * CLUSTER);
    }
    fence_init();
  }
  cluster_sync();

  const Tiles tiles(M, N, GROUP);
  const int group = threadIdx.x / 128, steps = (K + BK - 1) / BK, rank = blockIdx.x % CLUSTER;
  const Pieces pieces(tiles.count(), steps, 1024 / BK, blockIdx.x / CLUSTER, gridDim.x / CLUSTER);
  unsigned n = 0;  // steps since the block began

  if (group == groups) {
    if constexpr (crowded) asm volatile("setmaxnreg.dec.sync.aligned.u32 56;");
    if (!TMA || threadIdx.x % 128 == 0)
      for (int i = 0; i < pieces.count(); ++i) {
        const Piece piece = pieces[i];
        const int2 origin = tiles.origin(piece.tile, rank);
        for (int step = piece.begin; step < piece.begin + piece.steps; ++step, ++n) {
          const unsigned to = stages + stage_of(n) * stage;
          wait(empty + 8 * stage_of(n), parity_of(n) ^ 1);
          if constexpr (TMA) copy_step(to, full + 8 * stage_of(n), A_map, B_map, origin, rank, step * BK);
          else copy_step(to, A, B, origin, M, N, K, lda, ldb, step * BK), pass_copies(full, n);
        }
      }
    if constexpr (!TMA) pass_last_copies(full, n);
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
        for (int k = 0; k < BK; k += 16)
#pragma unroll
          for (int i = 0; i < blocks_m; ++i)
            multiply(sum[i], matrix(a + k / chunk * 2 * BM * chunk + (row + i * 64) * 128 + k % chunk * 2),
                     matrix(b + k * 128, BK * 128));
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
