// Streams: scale, add and triad over long arrays, the classic measures of memory bandwidth.
//
// Idea    One or two FLOPs for 8 or 12 bytes: 0.125, 0.083 and 0.167 FLOP/B at DRAM. Arithmetic is free here, and the
//         three points lie on the slope of the DRAM roof, one beside the other.
// Dials   OP      1 scale: c = s a; 2 add: c = a + b; 3 triad: c = a + s b.
//         ITEMS   float4s of each array that a thread has in flight.
//         BLOCK   threads per block.
// Watch   The intensity moves with OP, the share of the DRAM roof hardly. Triad writes one array in three, copy one in
//         two, and gets a little more bandwidth.
// Source  J. McCalpin, "Memory Bandwidth and Machine Balance in Current High Performance Computers", 1995.
__device__ float stream(float a, float b, float s) {
  return OP == 1 ? s * a : OP == 2 ? a + b : a + s * b;
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    triad(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, long long count, float s) {
  const long long vectors = count / 4;
  const long long first = (long long)blockIdx.x * BLOCK * ITEMS + threadIdx.x;

  float4 u[ITEMS], v[ITEMS] = {};
#pragma unroll
  for (int i = 0; i < ITEMS; ++i) {
    const long long at = first + i * BLOCK;
    if (at < vectors) u[i] = ((const float4*)a)[at];
    if (at < vectors && OP != 1) v[i] = ((const float4*)b)[at];
  }
#pragma unroll
  for (int i = 0; i < ITEMS; ++i) {
    const long long at = first + i * BLOCK;
    if (at < vectors)
      ((float4*)c)[at] = {stream(u[i].x, v[i].x, s), stream(u[i].y, v[i].y, s), stream(u[i].z, v[i].z, s),
                          stream(u[i].w, v[i].w, s)};
  }

  const long long rest = vectors * 4 + threadIdx.x;  // up to three elements that fill no float4
  if (blockIdx.x == 0 && rest < count) c[rest] = stream(a[rest], b[rest], s);
}
