// Histogram in global memory: bins[bin of in[i]] += 1, one atomic per element.
//
// Idea    Every element is an atomic addition that L2 performs. Nothing is kept on chip, so this is the mark that
//         private copies of the bins must beat.
// Dials   ITEMS   int4s that a thread reads.
//         BLOCK   threads per block.
//         BINS    how many bins split the range of the values evenly.
// Watch   No FLOPs, and the DRAM dot far below its roof: the atomics hold it. A million bins let them spread over L2;
//         with few, or with SKEW, the share of elements that are all equal, they queue at the same few sectors,
//         however the dials stand. 256 bins are 1 kB and start at a multiple of it here, so likely one slice of L2
//         serves them all; 512 bytes further on the kernel takes half the time (seen on an H200).
// Source  J. Sanders, E. Kandrot, "CUDA by Example", chapter on atomics, 2010.
//
// The counts are added to what bins holds. Any count of elements.
__device__ void add(int* bins, int value) {
  atomicAdd(&bins[__umulhi((unsigned)value, BINS)], 1);  // random bits to 0 ... BINS - 1, evenly
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    histogram_global(const int* __restrict__ in, int* bins, long long count) {
  const long long vectors = count / 4;
  const long long first = (long long)blockIdx.x * BLOCK * ITEMS + threadIdx.x;
#pragma unroll 4
  for (int i = 0; i < ITEMS; ++i) {
    const long long at = first + i * BLOCK;
    if (at >= vectors) break;
    const int4 v = __ldcs(&((const int4*)in)[at]);
    add(bins, v.x);
    add(bins, v.y);
    add(bins, v.z);
    add(bins, v.w);
  }
  const long long rest = vectors * 4 + threadIdx.x;  // up to three elements that fill no int4
  if (blockIdx.x == 0 && rest < count) add(bins, in[rest]);
}
