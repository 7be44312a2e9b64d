// Measures the roofs of memory: each kernel saturates one level and does nothing else.

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

// Reads the same 16 KB again and again, eight words per lane and round, from another place each round so that nothing is
// hoisted. Computes only one address per round: 4-byte words leave four issue slots for each load.
template <class Word>
__device__ void read_again(const Word* data, int rounds, float* never) {
  constexpr int words = 16384 / sizeof(Word), lanes = sizeof(Word) / 4;
  float sum[lanes] = {};
  for (int round = 0; round < rounds; ++round) {
    const Word* from = data + ((threadIdx.x + round * 32) & (words / 2 - 1));
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const Word v = from[i * words / 16];
#pragma unroll
      for (int lane = 0; lane < lanes; ++lane) sum[lane] += ((const float*)&v)[lane];
    }
  }
  float all = 0;
#pragma unroll
  for (int lane = 0; lane < lanes; ++lane) all += sum[lane];
  if (all == 1.2345f) *never = all;  // keeps the loads
}

// L1: every block reads the same part of global memory.
extern "C" __global__ void l1_read(const float4* a, float* never, int rounds) { read_again(a, rounds, never); }

// Shared memory: neighbouring lanes read neighbouring words, so there are no conflicts.
template <class Word>
__device__ void shared_read(float* never, int rounds) {
  __shared__ Word data[16384 / sizeof(Word)];
  for (int i = threadIdx.x; i < 4096; i += blockDim.x) ((float*)data)[i] = i;
  __syncthreads();
  read_again(data, rounds, never);
}

extern "C" __global__ void shared_read_4(float* never, int rounds) { shared_read<float>(never, rounds); }
extern "C" __global__ void shared_read_8(float* never, int rounds) { shared_read<float2>(never, rounds); }
extern "C" __global__ void shared_read_16(float* never, int rounds) { shared_read<float4>(never, rounds); }
