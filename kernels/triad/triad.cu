// Streams: scale, add and triad over long arrays, the classic measures of memory bandwidth.
//
// Idea    One or two FLOPs for 8 or 12 bytes: 0.125, 0.083 and 0.167 FLOP/B at DRAM. Arithmetic is free here, and the
//         three points lie on the slope of the DRAM roof, one beside the other.
// Dials   OP      1 scale: c = s a; 2 add: c = a + b; 3 triad: c = a + s b.
//         ITEMS   float4s of each array that a thread has in flight.
//         BLOCK   threads a block.
// Watch   The intensity moves with OP, the share of the DRAM roof hardly. Triad writes one array in three, copy one in
//         two, and gets a little more bandwidth.
// Source  J. McCalpin, "Memory Bandwidth and Machine Balance in Current High Performance Computers", 1995.
template <int Op>
__device__ float stream(float a, float b, float s) {
  return Op == 1 ? s * a : Op == 2 ? a + b : a + s * b;
}

template <int Op>
__device__ void run(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, long long count,
                    float s) {
  const float4* a4 = (const float4*)a;
  const float4* b4 = (const float4*)b;
  float4* c4 = (float4*)c;
  const long long vectors = count / 4;
  const long long first = (long long)blockIdx.x * BLOCK * ITEMS + threadIdx.x;

  float4 u[ITEMS], v[ITEMS] = {};
#pragma unroll
  for (int i = 0; i < ITEMS; ++i) {
    const long long at = first + i * BLOCK;
    if (at < vectors) u[i] = a4[at];
    if (at < vectors && Op != 1) v[i] = b4[at];
  }
#pragma unroll
  for (int i = 0; i < ITEMS; ++i) {
    const long long at = first + i * BLOCK;
    if (at < vectors)
      c4[at] = make_float4(stream<Op>(u[i].x, v[i].x, s), stream<Op>(u[i].y, v[i].y, s), stream<Op>(u[i].z, v[i].z, s),
                           stream<Op>(u[i].w, v[i].w, s));
  }

  const long long rest = vectors * 4 + threadIdx.x;  // up to three elements that fill no float4
  if (blockIdx.x == 0 && rest < count) c[rest] = stream<Op>(a[rest], b[rest], s);
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    triad(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, long long count, float s,
          int op) {
  if (op == 1)
    run<1>(a, b, c, count, s);
  else if (op == 2)
    run<2>(a, b, c, count, s);
  else
    run<3>(a, b, c, count, s);
}
