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
// Watch   The roof of the BF16 tensor cores is 15 times the FP32 one, so L2 and DRAM come close: wider tiles, and
//         clusters, ask them for less. Occupancy hardly matters: a block or two per SM keep the tensor cores busy.
//         The rest is the writing of C, 4 % of the time at 8192: the sums fill the registers, so no product begins
//         before they are stored. Near the roof, power lowers the clock, and with it the rate of the tensor cores.
// Source  NVIDIA, "Parallel Thread Execution ISA", asynchronous warpgroup level matrix instructions, tensor copies.
//         V. Thakkar, P. Ramani, C. Cecka et al., "CUTLASS" 3: warp-specialised kernels, NVIDIA, 2023.
//
// Row major, any M and K, even N: A is M x K, B is K x N, C is M x N. Rows of C are ldc elements apart, those of A and B
// as their maps say, by multiples of eight: TMA wants rows that start at 16 bytes.
// TMA swizzles: the 16-byte units of each row of 128 bytes change places by the row's number, which wgmma undoes, so
// no access of a column of units conflicts.
#define LIST5(tens, a, b, c, d, e) "%" #tens #a ",%" #tens #b ",%" #tens #c ",%" #tens #d ",%" #tens #e ","
#define LIST10(tens) LIST5(tens, 0, 1, 2, 3, 4) LIST5(tens, 5, 6, 7, 8, 9)
#define SUMS4(i) "+f"(sum[i]), "+f"(sum[i + 1]), "+f"(sum[i + 2]), "+f"(sum[i + 3])
#define SUMS16(i) SUMS4(i), SUMS4(i + 4), SUMS4(i + 8), SUMS4(i + 12)
#define WGMMA(columns, list, a, b, ...)                                                                     \
  asm volatile("wgmma.mma_async.sync.aligned.m64n" #columns "k16.f32.bf16.bf16 {" list "}, " a ", " b ", 1, " \
               "1, 1, 0, 1;" : __VA_ARGS__ : "l"(A), "l"(B))

constexpr int groups = BM == 64 ? 1 : 2;  // warpgroups that multiply; one more copies
constexpr int threads = 128 * (groups + 1), blocks_m = BM / 64 / groups;
constexpr int chunk = 64;                            // BF16 of a swizzled row of 128 bytes
constexpr int bytes_a = 2 * BM * BK, stage = bytes_a + 2 * BK * BN;
constexpr bool crowded = groups == 2 && blocks_m * BN == 256;  // the sums of a thread take half its registers
constexpr int raster = 16;                           // rows of tiles that run at a time, so that L2 serves them

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
// At a block of the cluster. Not .release.cluster: its fence takes half a microsecond, and wgmma has written nothing.
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

// Describes a matrix to wgmma: rows of 128 bytes, swizzled, eight rows in 1024 bytes; chunks so many bytes apart.
__device__ unsigned long long matrix(unsigned start, int chunk_bytes) {
  return (start & 0x3ffff) >> 4 | (unsigned long long)(chunk_bytes >> 4) << 16 | 1024ull >> 4 << 32 | 1ull << 62;
}

// sum += A B: 64 rows, BN columns, 16 steps of k; B's columns are contiguous.
__device__ void multiply(float (&sum)[BN / 2], unsigned long long A, unsigned long long B) {
  if constexpr (BN == 64)
    WGMMA(64, LIST10() LIST10(1) LIST10(2) "%30,%31", "%32", "%33", SUMS16(0), SUMS16(16));
  else if constexpr (BN == 128)
    WGMMA(128, LIST10() LIST10(1) LIST10(2) LIST10(3) LIST10(4) LIST10(5) "%60,%61,%62,%63", "%64", "%65", SUMS16(0),
          SUMS16(16), SUMS16(32), SUMS16(48));
  else if constexpr (BN == 192)
    WGMMA(192, LIST10() LIST10(1) LIST10(2) LIST10(3) LIST10(4) LIST10(5) LIST10(6) LIST10(7) LIST10(8)
          "%90,%91,%92,%93,%94,%95", "%96", "%97", SUMS16(0), SUMS16(16), SUMS16(32), SUMS16(48), SUMS16(64), SUMS16(80));
  else
    WGMMA(256, LIST10() LIST10(1) LIST10(2) LIST10(3) LIST10(4) LIST10(5) LIST10(6) LIST10(7) LIST10(8) LIST10(9)
          LIST10(10) LIST10(11) "%120,%121,%122,%123,%124,%125,%126,%127", "%128", "%129", SUMS16(0), SUMS16(16),
          SUMS16(32), SUMS16(48), SUMS16(64), SUMS16(80), SUMS16(96), SUMS16(112));
}

// A cluster's tiles are one above the other. Clusters go down a column of `raster` tiles, then right: those that run at
// a time share rows and columns.
struct Tiles {
  int down, across;
  __device__ Tiles(int M, int N) : down((M + BM * CLUSTER - 1) / (BM * CLUSTER)), across((N + BN - 1) / BN) {}
  __device__ int count() const { return down * across; }
  __device__ int2 origin(int number, int rank) const {  // row and column of C
    constexpr int rows = raster / CLUSTER;
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
    else copy_to_all(to, B, origin.y + j, k0 + rank * part, full);
  }
}

// beta 0: C may hold anything, even NaN.
__device__ void store2(float* out, float x, float y, float alpha, float beta) {
  const float2 c = beta == 0.0f ? float2{} : *(const float2*)out;
  *(float2*)out = beta == 0.0f ? float2{alpha * x, alpha * y} : float2{alpha * x + beta * c.x, alpha * y + beta * c.y};
}

// A thread has two neighbours of every eighth row, eight columns apart.
__device__ void store_tile(const float (&sum)[blocks_m][BN / 2], float* C, int2 origin, int group, int M, int N,
                           int ldc, float alpha, float beta) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
  const int row = origin.x + group * blocks_m * 64 + warp * 16 + lane / 4, col = origin.y + lane % 4 * 2;
#pragma unroll
  for (int i = 0; i < blocks_m; ++i)
#pragma unroll
    for (int j = 0; j < BN / 8; ++j)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int y = row + i * 64 + half * 8, x = col + j * 8;
        if (y < M && x < N)
          store2(&C[(long long)y * ldc + x], sum[i][4 * j + 2 * half], sum[i][4 * j + 2 * half + 1], alpha, beta);
      }
}

extern "C" __global__ void __launch_bounds__(threads, 1)
    gemm_bf16_wgmma(const __grid_constant__ TensorMap A, const __grid_constant__ TensorMap B, float* __restrict__ C,
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
    for (int tile = first; tile < tiles.count(); tile += clusters) {
      float sum[blocks_m][BN / 2] = {};
      for (int step = 0; step < steps; ++step, ++n) {
        const unsigned a = stages + stage_of(n) * stage, b = a + bytes_a;
        wait(full + 8 * stage_of(n), parity_of(n));
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int k = 0; k < BK; k += 16)
#pragma unroll
          for (int i = 0; i < blocks_m; ++i)
            multiply(sum[i],
                     matrix(a + k / chunk * 2 * BM * chunk + (group * blocks_m + i) * 64 * 128 + k % chunk * 2, 16),
                     matrix(b + k * 128, BK * 128));
        asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 1;" ::: "memory");
        if (n > 0 && threadIdx.x % 128 < CLUSTER)  // the step before has been read
          arrive(empty + 8 * stage_of(n - 1), threadIdx.x % 128);
      }
      asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
      store_tile(sum, C, tiles.origin(tile, rank), group, M, N, ldc, alpha, beta);
    }
  }
  cluster_sync();  // the shared memory of a block that has ended takes no more copies
}
