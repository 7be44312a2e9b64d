// Histogram in shared memory: bins[bin of in[i]] += 1, a private copy of the bins for each block.
//
// Idea    A block counts its part of the input in its own bins in shared memory, and adds them to the global bins once
//         at the end: BINS global atomics per block instead of one per element.
// Dials   ITEMS   int4s that a thread reads. The more, the fewer blocks pay for clearing and merging their bins: with
//                 4 * ITEMS * BLOCK < BINS there are more global atomics than elements.
//         BLOCK   threads per block.
//         BINS    how many bins split the range of the values evenly.
// Watch   No FLOPs; the DRAM dot climbs with ITEMS, and sinks again when BINS fill shared memory and occupancy falls:
//         57,344 bins leave room for one block per SM, and want it large. SKEW, the share of elements that are all
//         equal, hardly matters: the hardware counts the lanes that add 1 to the same word in one go.
// Source  V. Podlozhnyuk, "Histogram calculation in CUDA", NVIDIA, 2007.
//
// The counts are added to what bins holds. Any count of elements.
extern __shared__ int mine[];

__device__ void add(int value) {
  atomicAdd(&mine[__umulhi((unsigned)value, BINS)], 1);  // random bits to 0 ... BINS - 1, evenly
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    histogram_shared(const int* __restrict__ in, int* bins, long long count) {
  for (int b = threadIdx.x; b < BINS; b += BLOCK) mine[b] = 0;
  __syncthreads();  // the bins are empty before anyone counts

  const long long vectors = count / 4;
  const long long first = (long long)blockIdx.x * BLOCK * ITEMS + threadIdx.x;
#pragma unroll 4
  for (int i = 0; i < ITEMS; ++i) {
    const long long at = first + i * BLOCK;
    if (at >= vectors) break;
    const int4 v = __ldcs(&((const int4*)in)[at]);
    add(v.x);
    add(v.y);
    add(v.z);
    add(v.w);
  }
  const long long rest = vectors * 4 + threadIdx.x;  // up to three elements that fill no int4
  if (blockIdx.x == 0 && rest < count) add(in[rest]);
  __syncthreads();  // everyone has counted before the bins are merged

  for (int b = threadIdx.x; b < BINS; b += BLOCK) atomicAdd(&bins[b], mine[b]);
}
