// Histogram in a cluster's shared memory: bins[bin of in[i]] += 1, the bins split over the blocks of a cluster.
//
// Idea    Bins that are too many for one block are shared out: each of CLUSTER blocks owns a CLUSTER-th of them, and
//         the others reach into its shared memory. More bins stay on chip, and fewer copies are merged at the end.
// Dials   CLUSTER   blocks that share one copy of the bins; more than 8 is beyond what every GPU of this kind promises.
//         SEND      1: a block counts its part of the input and sends each count to the bin's owner; 0: nothing is
//                   sent, but every block reads the input of the whole cluster and keeps what falls into its own bins.
//         ITEMS     int4s that a thread reads of its own part.
//         BLOCK     threads per block.
//         BINS      how many bins split the range of the values evenly.
// Watch   A count that travels costs several cycles of the network between the SMs, so one copy per block is faster as
//         long as it fits: 57,344 bins. At 65,536 both ways beat the atomics in global memory, and reading CLUSTER
//         times, mostly from L2, beats sending; with a quarter of a million bins neither wins. SKEW, the share of
//         elements that are all equal, sends most counts to one owner.
// Source  "CUDA C++ Programming Guide", NVIDIA, chapter on distributed shared memory.
//
// The counts are added to what bins holds. Any count of elements.
constexpr int bins_of_block = (BINS + CLUSTER - 1) / CLUSTER;  // the last blocks may own fewer, or none
extern __shared__ int mine[];

__device__ int rank_in_cluster() {
  int rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

// Every thread of the cluster arrives, and sees afterwards what the others wrote before.
__device__ void cluster_barrier() {
  asm volatile("barrier.cluster.arrive.release;\n\tbarrier.cluster.wait.acquire;" ::: "memory");
}

__device__ void send(int bin) {
  unsigned place = (unsigned)__cvta_generic_to_shared(&mine[bin % bins_of_block]);
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(place) : "r"(place), "r"(bin / bins_of_block));
  asm volatile("red.relaxed.cluster.shared::cluster.add.s32 [%0], 1;" ::"r"(place) : "memory");
}

__device__ void add(int value, int first_bin) {
  const int bin = __umulhi((unsigned)value, BINS);  // random bits to 0 ... BINS - 1, evenly
  if (SEND)
    send(bin);
  else if (first_bin <= bin && bin < first_bin + bins_of_block)
    atomicAdd(&mine[bin - first_bin], 1);
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    histogram_cluster(const int* __restrict__ in, int* bins, long long count) {
  const int rank = rank_in_cluster();
  const int first_bin = rank * bins_of_block;
  const int owned = min(bins_of_block, BINS - first_bin);
  for (int b = threadIdx.x; b < owned; b += BLOCK) mine[b] = 0;
  cluster_barrier();  // the bins are empty, and every block has started, before anyone counts

  const int part = blockIdx.x - (SEND ? 0 : rank);
  const long long vectors = count / 4;
  const long long first = (long long)part * BLOCK * ITEMS + threadIdx.x;
#pragma unroll 4
  for (int i = 0; i < (SEND ? ITEMS : ITEMS * CLUSTER); ++i) {
    const long long at = first + i * BLOCK;
    if (at >= vectors) break;
    const int4 v = ((const int4*)in)[at];
    add(v.x, first_bin);
    add(v.y, first_bin);
    add(v.z, first_bin);
    add(v.w, first_bin);
  }
  const long long rest = vectors * 4 + threadIdx.x;  // up to three elements that fill no int4
  if (part == 0 && rest < count) add(in[rest], first_bin);
  cluster_barrier();  // everyone has counted before the bins are merged, and before a block may end

  for (int b = threadIdx.x; b < owned; b += BLOCK) atomicAdd(&bins[first_bin + b], mine[b]);
}
