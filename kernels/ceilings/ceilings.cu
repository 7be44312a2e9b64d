// Microbenchmarks behind the measured roofs: each saturates one resource and does nothing else.

// DRAM: buffers many times larger than L2. count: float4s of one buffer.
extern "C" __global__ void dram_read(const float4* __restrict__ a, const float4*, float4* c, long long count) {
  float4 sum = {0, 0, 0, 0};
  const long long step = (long long)gridDim.x * blockDim.x;
#pragma unroll 4
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < count; i += step) {
    const float4 v = __ldcs(&a[i]);
    sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
  }
  if (sum.x + sum.y + sum.z + sum.w == 1.2345f) *c = sum;  // keeps the loads
}

extern "C" __global__ void dram_write(const float4*, const float4*, float4* c, long long count) {
  const long long step = (long long)gridDim.x * blockDim.x;
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < count; i += step)
    __stcs(&c[i], make_float4(1, 2, 3, 4));
}

extern "C" __global__ void dram_copy(const float4* __restrict__ a, const float4*, float4* __restrict__ c,
                                     long long count) {
  const long long step = (long long)gridDim.x * blockDim.x;
#pragma unroll 4
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < count; i += step)
    __stcs(&c[i], __ldcs(&a[i]));
}

extern "C" __global__ void dram_triad(const float4* __restrict__ a, const float4* __restrict__ b,
                                      float4* __restrict__ c, long long count) {
  const long long step = (long long)gridDim.x * blockDim.x;
#pragma unroll 2
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < count; i += step) {
    const float4 u = __ldcs(&a[i]), v = __ldcs(&b[i]);
    __stcs(&c[i], make_float4(u.x + 3 * v.x, u.y + 3 * v.y, u.z + 3 * v.z, u.w + 3 * v.w));
  }
}

// L2: `count` float4s that fit it, a power of two, walked past L1 in 8 loads a round that are in flight together.
extern "C" __global__ void l2_read(const float4* a, float4* c, unsigned count, int rounds) {
  float4 sum = {0, 0, 0, 0};
  const unsigned step = gridDim.x * blockDim.x;
  unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
  for (int round = 0; round < rounds; ++round, first += 8 * step)
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) {
      const float4 v = __ldcg(&a[(first + i * step) & (count - 1)]);
      sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
    }
  if (sum.x + sum.y + sum.z + sum.w == 1.2345f) *c = sum;
}

// L1: every block reads the same 16 KB of global memory, 16 bytes a lane.
extern "C" __global__ void l1_read(const float4* a, float4* c, int rounds) {
  float4 sum = {0, 0, 0, 0};
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const float4 v = a[(threadIdx.x + i * 128 + round * 32) & 1023];  // another address each round: not hoisted
      sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
    }
  if (sum.x + sum.y + sum.z + sum.w == 1.2345f) *c = sum;
}

// Shared memory: 16 bytes a lane, stride 1, no conflicts.
extern "C" __global__ void shared_read(float4* c, int rounds) {
  __shared__ float4 data[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) data[i] = make_float4(i, i, i, i);
  __syncthreads();
  float4 sum = {0, 0, 0, 0};
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const float4 v = data[(threadIdx.x + i * 128 + round * 32) & 1023];  // another address each round: not hoisted
      sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
    }
  if (sum.x + sum.y + sum.z + sum.w == 1.2345f) *c = sum;
}

// FP32: eight independent FMA chains a thread, 64 FMAs a round.
extern "C" __global__ void fp32_fma(float* c, float a, float b, int rounds) {
  float x[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) x[i] = (float)(threadIdx.x + i);
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int i = 0; i < 64; ++i) x[i % 8] = fmaf(x[i % 8], a, b);
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) sum += x[i];
  if (sum == 1.2345f) *c = sum;  // keeps the chains
}
