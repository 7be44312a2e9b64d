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
//         TURNS        each warpgroup has a tile of its own, and one writes its outputs while the other multiplies.
//         STAGED       outputs go to shared memory, and TMA writes them out while threads bring the next ones.
//         GROUP        rows of tiles that run at a time, so that L2 serves them.
// Watch   The roof of the BF16 tensor cores is 15 times the FP32 one, so L2 and DRAM come close: wider tiles, and
//         clusters, ask them for less. Occupancy hardly matters: a block or two per SM keep the tensor cores busy.
//         The rest is the writing of C: the sums fill the registers, so no product begins before they are stored.
//         Near the roof, power lowers the clock, and with it the rate of the tensor cores.
// Source  NVIDIA, "Parallel Thread Execution ISA", asynchronous warpgroup level matrix instructions, tensor copies.
//         V. Thakkar, P. Ramani, C. Cecka et al., "CUTLASS" 3: warp-specialised kernels, NVIDIA, 2023.
//
// Row major, any M and K, even N: A is M x K, B is K x N, C is M x N. Rows of C are ldc elements apart, those of A and B
// as their maps say, by multiples of eight: TMA wants rows that start at 16 bytes.
// TMA swizzles: the 16-byte units of each row of 128 bytes change places by the row's number, which wgmma undoes, so
// no access of a column of units conflicts.
#include "../hopper.cuh"

constexpr int groups = BM == 64 && !TURNS ? 1 : 2;  // warpgroups that multiply; one more copies
constexpr int readers = TURNS ? 1 : groups;         // of a stage
constexpr int threads = 128 * (groups + 1), blocks_m = BM / 64 / readers;
constexpr int chunk = 64;                            // BF16 of a swizzled row of 128 bytes
constexpr int bytes_a = 2 * BM * BK, stage = bytes_a + 2 * BK * BN;
constexpr bool crowded = groups == 2 && blocks_m * BN >= 256;  // the sums of a thread take half its registers
constexpr int box_bytes = 64 * 128;                  // of outputs that are staged: 64 rows of 32

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
// that the rows of a half-warp meet in no bank.
__device__ void stage_tile(const float (&sum)[blocks_m][BN / 2], unsigned boxes, const TensorMap& C, int2 origin,
                           int barrier, float alpha) {
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
        store_box(box, C, origin.y + col, origin.x + i * 64);
        commit_stores();
      }
    }
}

extern "C" __global__ void __launch_bounds__(threads, 1)
    gemm_bf16_wgmma(const __grid_constant__ TensorMap A, const __grid_constant__ TensorMap B,
                    const __grid_constant__ TensorMap C_map, float* __restrict__ C, int M, int N, int K, int ldc,
                    float alpha, float beta, int GROUP) {
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
  const int first = blockIdx.x / CLUSTER, clusters = gridDim.x / CLUSTER;
  unsigned n = 0;  // steps since the block began

  if (group == groups) {
    if constexpr (crowded) asm volatile("setmaxnreg.dec.sync.aligned.u32 56;");
    if (threadIdx.x % 128 == 0)
      for (int tile = first; tile < tiles.count(); tile += clusters) {
        const int2 origin = tiles.origin(tile, rank);
        for (int step = 0; step < steps; ++step, ++n) {
          wait(empty + 8 * stage_of(n), parity_of(n) ^ 1);
          copy_step(stages + stage_of(n) * stage, full + 8 * stage_of(n), A, B, origin, rank, step * BK);
        }
      }
  } else {
    if constexpr (crowded) asm volatile("setmaxnreg.inc.sync.aligned.u32 224;");
    constexpr int turns = TURNS ? 2 : 1, my_turn = 3;  // barriers 3 and 4 pass the tensor cores to and fro
    const int turn = TURNS ? group : 0, row = (TURNS ? 0 : group) * blocks_m * 64;
    if (turn == 1) arrive_named(my_turn, 256);
    n = turn * steps;
    for (int tile = first + turn * clusters; tile < tiles.count(); tile += turns * clusters) {
      float sum[blocks_m][BN / 2] = {};
      if constexpr (TURNS) sync_named(my_turn + turn, 256);
      for (int step = 0; step < steps; ++step, ++n) {
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
      const int2 origin = tiles.origin(tile, rank), mine = {origin.x + row, origin.y};
      if (STAGED && beta == 0.0f && N % 4 == 0) stage_tile(sum, boxes + group * 2 * box_bytes, C_map, mine, 1 + group, alpha);
      else store_tile(sum, C, mine, M, N, ldc, alpha, beta);
      n += (turns - 1) * steps;
    }
    if (STAGED && threadIdx.x % 128 == 0) wait_stores_read<0>();
  }
  cluster_sync();  // the shared memory of a block that has ended takes no more copies
}
