// Attention, a block per query: O[i] = sum over j of w[j] V[j], w[j] = exp(scale Q[i] K[j]) / sum of the same.
//
// Idea    Three walks over the keys, as the formula says: a thread per key for the scores, which stay in shared memory, the
//         whole block for their largest and their sum, a thread per output for the weighted values.
// Dials   BLOCK    threads per query.
// Watch   Every query reads all of K and V: N times the bytes that DRAM holds, most of them from L2. Neighbouring lanes read
//         K a row apart, so that an access takes 32 sectors. In FLOPs attention is two matrix multiplies.
// Source  A. Vaswani et al., "Attention Is All You Need", 2017, for the formula.
//
// Q, K, V, O hold H heads of N rows of D floats. N is limited by the scores in shared memory. CAUSAL: a query sees no
// later keys.
extern __shared__ float score[];  // one per key, then D * parts partial sums

constexpr int parts = BLOCK / D;  // of the keys, for the weighted values

template <class Operation>
__device__ float reduce_block(float value, Operation both) {
  __shared__ float of_warp[BLOCK / 32];
  for (int distance = 16; distance > 0; distance /= 2)
    value = both(value, __shfl_xor_sync(0xffffffff, value, distance));
  __syncthreads();  // the one before has been read
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  value = of_warp[0];
  for (int warp = 1; warp < BLOCK / 32; ++warp) value = both(value, of_warp[warp]);
  return value;
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    attention_naive(const float* __restrict__ Q, const float* __restrict__ K, const float* __restrict__ V,
                    float* __restrict__ O, int N, float scale) {
  const int query = blockIdx.x, keys = CAUSAL ? query + 1 : N;
  const long long head = (long long)blockIdx.y * N * D;
  const float* q = Q + head + (long long)query * D;

  float largest = -__int_as_float(0x7f800000);
  for (int key = threadIdx.x; key < keys; key += BLOCK) {
    const float* k = K + head + (long long)key * D;
    float sum = 0;
#pragma unroll 8
    for (int d = 0; d < D; ++d) sum += q[d] * k[d];
    score[key] = scale * sum;
    largest = fmaxf(largest, scale * sum);
  }
  largest = reduce_block(largest, [](float a, float b) { return fmaxf(a, b); });

  float weights = 0;
  for (int key = threadIdx.x; key < keys; key += BLOCK) {
    score[key] = __expf(score[key] - largest);
    weights += score[key];
  }
  weights = reduce_block(weights, [](float a, float b) { return a + b; });  // its barriers: all scores are written

  float* partial = score + N;
  const int d = threadIdx.x % D, part = threadIdx.x / D;
  float sum = 0;
  for (int key = part; key < keys; key += parts) sum += score[key] * V[head + (long long)key * D + d];
  partial[threadIdx.x] = sum;
  __syncthreads();
  if (part == 0) {
    for (int other = 1; other < parts; ++other) sum += partial[other * D + d];
    O[head + (long long)query * D + d] = sum / weights;
  }
}
