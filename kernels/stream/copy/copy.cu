// Copy: out[i] = in[i], the fastest way to read and write every element once.
//
// Idea    Nothing is computed or rearranged, so what remains is the memory system. Its speed is the ceiling of every
//         transpose of the same size, and of any kernel that must touch its data once.
// Dials   VECTOR   floats in one access: 4, 8 or 16 bytes per lane.
//         ITEMS    accesses that a thread has in flight before it writes the first.
//         BLOCK    threads per block.
//         STREAMING   1: marks each line as not needed again, so that it leaves L2 first.
// Watch   The DRAM dot: no setting reaches the specified roof, for DRAM loses time turning between reads and writes.
//         Bandwidth is bytes in flight over latency, so 4 bytes per thread are too few; but more than enough is less
//         again, for reads and writes then crowd each other out. The hint gains nothing here.
// Source  J. McCalpin, "Memory Bandwidth and Machine Balance in Current High Performance Computers", 1995;
//         J. Little, "A Proof for the Queuing Formula L = lambda W", 1961.
template <int Floats>
struct VectorOf;
template <>
struct VectorOf<1> {
  using Type = float;
};
template <>
struct VectorOf<2> {
  using Type = float2;
};
template <>
struct VectorOf<4> {
  using Type = float4;
};
using Vector = VectorOf<VECTOR>::Type;

extern "C" __global__ void __launch_bounds__(BLOCK)
    copy(const float* __restrict__ in, float* __restrict__ out, long long count) {
  const Vector* from = (const Vector*)in;
  Vector* to = (Vector*)out;
  const long long vectors = count / VECTOR;
  const long long first = (long long)blockIdx.x * BLOCK * ITEMS + threadIdx.x;

  Vector item[ITEMS];
#pragma unroll
  for (int i = 0; i < ITEMS; ++i)
    if (first + i * BLOCK < vectors) item[i] = STREAMING ? __ldcs(&from[first + i * BLOCK]) : from[first + i * BLOCK];
#pragma unroll
  for (int i = 0; i < ITEMS; ++i)
    if (first + i * BLOCK < vectors) {
      if (STREAMING)
        __stcs(&to[first + i * BLOCK], item[i]);
      else
        to[first + i * BLOCK] = item[i];
    }

  const long long rest = vectors * VECTOR + threadIdx.x;  // up to three elements that fill no vector
  if (blockIdx.x == 0 && rest < count) out[rest] = in[rest];
}
