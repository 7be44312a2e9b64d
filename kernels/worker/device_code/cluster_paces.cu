// Measures how long clusters of eight blocks take to meet, and how fast their blocks take atomics from each other
// (from compute capability 9.0 on).

__device__ void meet() {
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

extern "C" __global__ void __cluster_dims__(8, 1, 1) meet_often(int rounds) {
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int i = 0; i < 8; ++i) meet();
}

__device__ unsigned rank_in_cluster() {
  unsigned rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

__device__ void add(const unsigned* mine, unsigned rank, unsigned value) {
  unsigned there;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"((unsigned)__cvta_generic_to_shared(mine)), "r"(rank));
  asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], %1;" ::"r"(there), "r"(value) : "memory");
}

extern "C" __global__ void __cluster_dims__(8, 1, 1) add_to_others(int rounds) {
  __shared__ unsigned words[1024];
  const unsigned rank = rank_in_cluster();
  unsigned drawn = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u;
  meet();
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      drawn = drawn * 1664525u + 1013904223u;
      add(&words[drawn >> 8 & 1023], rank + 1 + (drawn >> 20) % 7 & 7, drawn);
    }
  meet();
}

// Seven blocks add to a word of the first one. `none` is 0: ptxas adds up the lanes of a warp where it knows that
// they mean one word.
extern "C" __global__ void __cluster_dims__(8, 1, 1) add_to_one_word(unsigned none, int rounds) {
  __shared__ unsigned words[1024];
  const unsigned rank = rank_in_cluster();
  meet();
  for (int round = 0; rank > 0 && round < rounds; ++round)
#pragma unroll
    for (int i = 0; i < 8; ++i) add(&words[threadIdx.x & none], 0, threadIdx.x + i);
  meet();
}
