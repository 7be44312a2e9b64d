// Split-K matrix multiply: C = alpha A B + beta C, each tile of C by several blocks, which share out K.
//
// Idea    A small C has fewer tiles than the GPU has SMs, and most of them would idle. So the blocks of a cluster take a part
//         of K each of the same tile; then they exchange sums through each other's shared memory, and each adds up and
//         stores its share of the outputs.
// Dials   SPLIT        blocks that share out K; 1: each tile is one block's.
//         BM, BN, WM, WN, TM, TN   the tile of a block, of a warp, of a thread: WM/TM x WN/TN are the 32 lanes.
//         BK, STAGES   how far a step goes along K, and steps held in shared memory: all but one are on their way.
// Watch   Where tiles are few, each doubling of SPLIT takes a third off the time. Where they fill the GPU already, it only
//         adds the exchange, and each block has a shorter K to warm up for.
// Source  NVIDIA, "CUDA C++ Programming Guide", thread block clusters, distributed shared memory.
//
// Row major, any M, N, K: A is M x K, B is K x N, C is M x N; their rows are lda, ldb and ldc floats apart.
#include "../warp_tile.cuh"

constexpr int fours = TM * TN / 4, share = fours / SPLIT;  // of a thread's outputs: all, and what its block stores

__device__ void cluster_sync() {
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

// To this place in the shared memory of another block of the cluster.
__device__ void send(unsigned to, int block, const float* four) {
  asm volatile("{\n.reg .b32 there;\nmapa.shared::cluster.u32 there, %0, %1;\n"
               "st.shared::cluster.v4.f32 [there], {%2, %3, %4, %5};\n}"
               ::"r"(to), "r"(block), "f"(four[0]), "f"(four[1]), "f"(four[2]), "f"(four[3]) : "memory");
}

// Every SPLIT-th four is this block's to store; it gets them from all others, one array from each.
__device__ void exchange(float (&sum)[TM][TN], int rank) {
  extern __shared__ __align__(16) float4 arrays[];
  const auto place = [&](int array, int e) { return (array * share + e / SPLIT) * threads + threadIdx.x; };
  asm volatile("cp.async.wait_all;");
  cluster_sync();  // no block needs its stages any more
#pragma unroll
  for (int e = 0; e < fours; ++e) {
    const int owner = e % SPLIT, array = (rank - owner + SPLIT) % SPLIT - 1;
    if (owner != rank)
      send((unsigned)__cvta_generic_to_shared(&arrays[place(array, e)]), owner, &sum[e * 4 / TN][e * 4 % TN]);
  }
  cluster_sync();
#pragma unroll
  for (int e = 0; e < fours; ++e) {
    float* four = &sum[e * 4 / TN][e * 4 % TN];
    for (int array = 0; array < SPLIT - 1 && e % SPLIT == rank; ++array) {
      const float4 other = arrays[place(array, e)];
      four[0] += other.x, four[1] += other.y, four[2] += other.z, four[3] += other.w;
    }
  }
}

extern "C" __global__ void __launch_bounds__(threads, threads < resident ? resident / threads : 1)
    sgemm_split_k(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int N, int K,
                  int lda, int ldb, int ldc, float alpha, float beta) {
  const int rank = blockIdx.z, part = (K + BK * SPLIT - 1) / (BK * SPLIT) * BK, k0 = min(K, rank * part);
  const int2 origin = {(int)blockIdx.y * BM, (int)blockIdx.x * BN}, first = first_output();
  const float *a = A + (long long)origin.x * lda + k0, *b = B + (long long)k0 * ldb + origin.y;

  float sum[TM][TN] = {};
  multiply(sum, a, b, lda, ldb, M - origin.x, N - origin.y, min(part, K - k0), first, N);
  if constexpr (SPLIT > 1) exchange(sum, rank);
#pragma unroll
  for (int e = 0; e < fours; ++e)
    if (e % SPLIT == rank) store_four(C, e, sum, origin, first, M, N, ldc, alpha, beta);
}
