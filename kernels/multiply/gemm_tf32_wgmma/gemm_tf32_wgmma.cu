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
// Watch   TMA swizzles: the 16-byte units of each row of 128 bytes change places by the row's number. A quad of threads
//         reads four rows of B, and eight quads four columns each of two units that are 64 bytes apart: 32 banks.
//         That permutes the rows of C', so a thread's outputs are rows of C two apart and columns four apart.
// Source  NVIDIA, "Parallel Thread Execution ISA", asynchronous warpgroup level matrix instructions, tensor copies.
//         V. Thakkar, P. Ramani, C. Cecka et al., "CUTLASS" 3: warp-specialised kernels, NVIDIA, 2023.
//
// Row major, any M, N, K: A is M x K, B is K x N, C is M x N. Rows of C are ldc elements apart, those of A and B as their
// maps say, by multiples of four: TMA wants rows that start at 16 bytes.
#define LIST5(tens, a, b, c, d, e) "%" #tens #a ",%" #tens #b ",%" #tens #c ",%" #tens #d ",%" #tens #e ","
#define LIST10(tens) LIST5(tens, 0, 1, 2, 3, 4) LIST5(tens, 5, 6, 7, 8, 9)
#define SUMS4(i) "+f"(sum[i]), "+f"(sum[i + 1]), "+f"(sum[i + 2]), "+f"(sum[i + 3])
#define SUMS16(i) SUMS4(i), SUMS4(i + 4), SUMS4(i + 8), SUMS4(i + 12)
#define WGMMA(rows, list, b, a, ...)                                                                              \
  asm volatile("wgmma.mma_async.sync.aligned.m64n" #rows "k8.f32.tf32.tf32 {" list "}, {" b "}, " a ", 1, 1, 1;" \
               : __VA_ARGS__ : "r"(B[0]), "r"(B[1]), "r"(B[2]), "r"(B[3]), "l"(A))

constexpr int groups = BN == 64 ? 1 : 2;  // warpgroups that multiply; one more copies
constexpr int threads = 128 * (groups + 1), blocks_n = BN / 64 / groups;
constexpr int BK = 32;                     // a swizzled row of 128 bytes
constexpr int bytes_a = 4 * BM * BK, panel = 4 * BK * 32, stage = bytes_a + 4 * BK * BN;
constexpr bool crowded = groups == 2 && blocks_n * BM == 256;  // the sums of a thread take half its registers
constexpr int raster = 8;                  // rows of tiles that run at a time, so that L2 serves them

__device__ unsigned address(const void* shared) { return (unsigned)__cvta_generic_to_shared(shared); }

// The ring of stages goes on from tile to tile: step n of a block is in stage n % STAGES, for the n / STAGES th time.
__device__ unsigned stage_of(unsigned n) { return n % STAGES; }
__device__ unsigned parity_of(unsigned n) { return n / STAGES % 2; }

__device__ void init(unsigned barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals));
}
__device__ void wait(unsigned barrier, unsigned parity) {
  asm volatile("{\n.reg .pred done;\nagain: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
               "@!done bra again;\n}" ::"r"(barrier), "r"(parity) : "memory");
}
__device__ void expect(unsigned barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
// At a block of the cluster.
__device__ void arrive(unsigned barrier, int block) {
  asm volatile("{\n.reg .b32 there;\nmapa.shared::cluster.u32 there, %0, %1;\n"
               "mbarrier.arrive.shared::cluster.b64 _, [there];\n}"
               ::"r"(barrier), "r"(block) : "memory");
}
__device__ void cluster_sync() {
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

struct __align__(64) TensorMap { char opaque[128]; };

__device__ void copy(unsigned to, const TensorMap& map, int col, int row, unsigned barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
               "[%0], [%1, {%2, %3}], [%4];" ::"r"(to), "l"(&map), "r"(col), "r"(row), "r"(barrier) : "memory");
}
__device__ void copy_to_all(unsigned to, const TensorMap& map, int col, int row, unsigned barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
               "[%0], [%1, {%2, %3}], [%4], %5;"
               ::"r"(to), "l"(&map), "r"(col), "r"(row), "r"(barrier), "h"((short)((1 << CLUSTER) - 1)) : "memory");
}

// Describes rows of 128 bytes to wgmma, swizzled, eight of them in 1024 bytes.
__device__ unsigned long long matrix(unsigned start) {
  return (start & 0x3ffff) >> 4 | 1ull << 16 | 1024ull >> 4 << 32 | 1ull << 62;
}

// sum += B' A': 64 columns of B, BM rows of A, 8 steps of k.
__device__ void multiply(float (&sum)[BM / 2], const unsigned (&B)[4], unsigned long long A) {
  if constexpr (BM == 64)
    WGMMA(64, LIST10() LIST10(1) LIST10(2) "%30,%31", "%32,%33,%34,%35", "%36", SUMS16(0), SUMS16(16));
  else if constexpr (BM == 128)
    WGMMA(128, LIST10() LIST10(1) LIST10(2) LIST10(3) LIST10(4) LIST10(5) "%60,%61,%62,%63", "%64,%65,%66,%67", "%68",
          SUMS16(0), SUMS16(16), SUMS16(32), SUMS16(48));
  else if constexpr (BM == 192)
    WGMMA(192, LIST10() LIST10(1) LIST10(2) LIST10(3) LIST10(4) LIST10(5) LIST10(6) LIST10(7) LIST10(8)
          "%90,%91,%92,%93,%94,%95", "%96,%97,%98,%99", "%100", SUMS16(0), SUMS16(16), SUMS16(32), SUMS16(48),
          SUMS16(64), SUMS16(80));
  else
    WGMMA(256, LIST10() LIST10(1) LIST10(2) LIST10(3) LIST10(4) LIST10(5) LIST10(6) LIST10(7) LIST10(8) LIST10(9)
          LIST10(10) LIST10(11) "%120,%121,%122,%123,%124,%125,%126,%127", "%128,%129,%130,%131", "%132", SUMS16(0),
          SUMS16(16), SUMS16(32), SUMS16(48), SUMS16(64), SUMS16(80), SUMS16(96), SUMS16(112));
}

// A cluster's tiles stand side by side. Clusters go down a column of `raster` tiles, then right: those that run at a time
// share rows and columns.
struct Tiles {
  int down, across;
  __device__ Tiles(int M, int N) : down((M + BM - 1) / BM), across((N + BN * CLUSTER - 1) / (BN * CLUSTER)) {}
  __device__ int count() const { return down * across; }
  __device__ int2 origin(int number, int rank) const {  // row and column of C
    const int top = number / (raster * across) * raster, height = min(down - top, raster), n = number - top * across;
    return {(top + n % height) * BM, (n / height * CLUSTER + rank) * BN};
  }
};

// One thread asks for a step's tiles as soon as their stage is empty in every block that A goes to.
__device__ void copy_step(unsigned a, unsigned full, const TensorMap& A, const TensorMap& B, int2 origin, int rank,
                          int k0) {
  constexpr int part = BM / CLUSTER;
  expect(full, stage);
  if constexpr (CLUSTER == 1) copy(a, A, k0, origin.x, full);
  else copy_to_all(a + rank * part * 128, A, k0, origin.x + rank * part, full);
  for (int j = 0; j < BN / 32; ++j) copy(a + bytes_a + j * panel, B, origin.y + j * 32, k0, full);
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
__device__ void store(float* out, float x, float alpha, float beta) {
  *out = beta == 0.0f ? alpha * x : alpha * x + beta * *out;
}

__device__ void store_tile(const float (&sum)[blocks_n][BM / 2], float* C, int2 origin, int group, int M, int N,
                           int ldc, float alpha, float beta) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
  const int row = origin.x + lane % 4 * 2, col = origin.y + group * blocks_n * 64 + warp / 2 * 32;
#pragma unroll
  for (int i = 0; i < blocks_n; ++i)
#pragma unroll
    for (int j = 0; j < BM / 8; ++j)
#pragma unroll
      for (int part = 0; part < 4; ++part) {
        const int y = row + j * 8 + part % 2, x = col + i * 64 + column_of(lane, warp, part / 2);
        if (y < M && x < N) store(&C[(long long)y * ldc + x], sum[i][4 * j + part], alpha, beta);
      }
}

extern "C" __global__ void __launch_bounds__(threads, 1)
    gemm_tf32_wgmma(const __grid_constant__ TensorMap A, const __grid_constant__ TensorMap B, float* __restrict__ C,
                    int M, int N, int K, int ldc, float alpha, float beta) {
  extern __shared__ __align__(1024) char shared[];
  const unsigned stages = address(shared), full = stages + STAGES * stage, empty = full + 8 * STAGES;
  if (threadIdx.x == 0) {
    for (int s = 0; s < STAGES; ++s) {
      init(full + 8 * s, 1);
      init(empty + 8 * s, groups * CLUSTER);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  cluster_sync();

  const Tiles tiles(M, N);
  const int group = threadIdx.x / 128, steps = (K + 2 * BK - 1) / (2 * BK) * 2, rank = blockIdx.x % CLUSTER;
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
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
    for (int tile = first; tile < tiles.count(); tile += clusters) {
      float sum[blocks_n][BM / 2] = {};
      unsigned even[blocks_n][BK / 8][4], odd[blocks_n][BK / 8][4];
      const auto take_step = [&](unsigned (&piece)[blocks_n][BK / 8][4]) {
        const unsigned a = stages + stage_of(n) * stage;
        wait(full + 8 * stage_of(n), parity_of(n));
        load(piece, a + bytes_a + group * blocks_n * 2 * panel, lane, warp);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int k = 0; k < BK / 8; ++k)
#pragma unroll
          for (int i = 0; i < blocks_n; ++i) multiply(sum[i], piece[i][k], matrix(a + k * 32));
        asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 1;" ::: "memory");
        if (n > 0 && threadIdx.x % 128 < CLUSTER)  // the step before has been read
          arrive(empty + 8 * stage_of(n - 1), threadIdx.x % 128);
        ++n;
      };
      for (int step = 0; step < steps; step += 2) {  // each with registers of its own, which wgmma may still read
        take_step(even);
        take_step(odd);
      }
      asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
      store_tile(sum, C, tiles.origin(tile, rank), group, M, N, ldc, alpha, beta);
    }
  }
  cluster_sync();  // the shared memory of a block that has ended takes no more copies
}
