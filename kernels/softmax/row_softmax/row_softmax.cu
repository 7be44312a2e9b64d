// Row softmax: out[y][x] = exp(in[y][x] - max of row y) / sum over the row of the same.
//
// Idea    One block per row, three walks over it: the largest element, the sum of the exponentials, the result. The row
//         comes from DRAM once; the other walks find it in shared memory, or in L1 and L2.
// Dials   BLOCK    threads per row.
//         STAGED   1: the first walk keeps the row in shared memory and the second leaves the exponentials there;
//                  0: both others read global memory again and compute the exponentials twice.
//         CARVEOUT the share of an SM's memory that is kept for shared memory; the rest is L1.
// Watch   The DRAM dot is the same, the L1 dot is not: 8 bytes per element against 16. Long rows need enough warps to
//         hide DRAM; short rows spend their time in barriers.
// Source  M. Milakov, N. Gimelshein, "Online normalizer calculation for softmax", NVIDIA, 2018, for the three walks.
//
// in and out are M x N, row major, any size; with STAGED a row must fit the 48 KB that every GPU gives a block.
extern __shared__ float row[];

// 2^x and 1 / x as one instruction each; the library's versions also care for subnormal numbers.
__device__ float exp2_fast(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ float reciprocal(float x) {
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

template <class Operation>
__device__ float reduce_block(float value, Operation both) {
  __shared__ float of_warp[BLOCK / 32];
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2)
    value = both(value, __shfl_xor_sync(0xffffffff, value, distance));
  __syncthreads();  // the one before has been read
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  value = of_warp[0];
#pragma unroll
  for (int warp = 1; warp < BLOCK / 32; ++warp) value = both(value, of_warp[warp]);
  return value;
}

// Visits every x of a row: the whole block, as often as it fits, then those threads for which there is one left.
template <class Visit>
__device__ void walk(int N, Visit visit) {
  int x = threadIdx.x;
#pragma unroll 4
  for (int rounds = N / BLOCK; rounds > 0; --rounds, x += BLOCK) visit(x);
  if (x < N) visit(x);
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    row_softmax(const float* __restrict__ in, float* __restrict__ out, int N) {
  constexpr float log2_e = 1.44269504f;
  in += (long long)blockIdx.x * N;
  out += (long long)blockIdx.x * N;

  float largest = -__int_as_float(0x7f800000);
  walk(N, [&](int x) {
    const float v = in[x];
    if (STAGED) row[x] = v;  // read again by this thread alone
    largest = fmaxf(largest, v);
  });
  const float shift = -log2_e * reduce_block(largest, [](float a, float b) { return fmaxf(a, b); });

  float sum = 0;
  walk(N, [&](int x) {
    const float e = exp2_fast(fmaf(STAGED ? row[x] : in[x], log2_e, shift));
    if (STAGED) row[x] = e;
    sum += e;
  });
  const float scale = reciprocal(reduce_block(sum, [](float a, float b) { return a + b; }));

  walk(N, [&](int x) { out[x] = scale * (STAGED ? row[x] : exp2_fast(fmaf(in[x], log2_e, shift))); });
}
