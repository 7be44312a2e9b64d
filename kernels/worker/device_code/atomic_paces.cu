// Measures how fast L2 takes atomics. All SMs add to words below `mask` + 1, a power of two, that a generator of
// random numbers draws.
extern "C" __global__ void add_at_random(unsigned* words, unsigned mask, int rounds) {
  unsigned drawn = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u;
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      drawn = drawn * 1664525u + 1013904223u;
      atomicAdd(&words[drawn >> 8 & mask], drawn);
    }
}
