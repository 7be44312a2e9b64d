// Measures the roof of distributed shared memory (from compute capability 9.0 on): each block of a cluster of two reads or
// writes the shared memory of the other block, 16 bytes per lane.

__device__ void meet() {
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

// The other block's copy of a variable in shared memory.
__device__ unsigned of_the_other(const void* mine) {
  unsigned rank, there;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"((unsigned)__cvta_generic_to_shared(mine)), "r"(rank ^ 1));
  return there;
}

extern "C" __global__ void __cluster_dims__(2, 1, 1) distributed_read(float* never, int rounds) {
  __shared__ float4 data[1024];
  for (int i = threadIdx.x; i < 4096; i += blockDim.x) ((float*)data)[i] = i;
  const unsigned from = of_the_other(data);
  float sum = 0;
  meet();
  for (int round = 0; round < rounds; ++round) {
    const unsigned place = from + ((threadIdx.x + round * 32) & 511) * 16;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      float4 v;
      asm volatile("ld.shared::cluster.v4.f32 {%0, %1, %2, %3}, [%4];"
                   : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                   : "r"(place + i * 1024));
      sum += v.x + v.y + v.z + v.w;
    }
  }
  meet();  // while a neighbour reads, its source stays
  if (sum == 1.2345f) *never = sum;
}

extern "C" __global__ void __cluster_dims__(2, 1, 1) distributed_write(float* never, int rounds) {
  __shared__ float4 data[1024];
  const unsigned to = of_the_other(data);
  meet();
  for (int round = 0; round < rounds; ++round) {
    const unsigned place = to + ((threadIdx.x + round * 32) & 511) * 16;
#pragma unroll
    for (int i = 0; i < 8; ++i)
      asm volatile("st.shared::cluster.v4.f32 [%0], {%1, %1, %1, %1};" ::"r"(place + i * 1024), "f"(1.5f) : "memory");
  }
  meet();
  if (data[threadIdx.x & 1023].x == 1.2345f) *never = 0;
}
