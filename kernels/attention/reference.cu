// References of attention for verification: a warp per query, which takes key after key, in double precision.
__device__ double value(float x) { return x; }
__device__ double value(unsigned short bf16) { return __uint_as_float((unsigned)bf16 << 16); }

constexpr int most_parts = 8;  // of a row, 32 elements each

template <class Element>
__device__ void attend(const Element* Q, const Element* K, const Element* V, float* O, int N, float scale, int D,
                       bool causal) {
  const int query = blockIdx.x, lane = threadIdx.x, keys = causal ? query + 1 : N;
  const long long head = (long long)blockIdx.y * N * D, own = head + (long long)query * D;
  double largest = -1e300, weights = 0, sum[most_parts] = {};
  for (int key = 0; key < keys; ++key) {
    const long long other = head + (long long)key * D;
    double score = 0;
    for (int d = lane; d < D; d += 32) score += value(Q[own + d]) * value(K[other + d]);
    for (int distance = 16; distance > 0; distance /= 2) score += __shfl_xor_sync(0xffffffff, score, distance);
    score *= scale;
    const double kept = score > largest ? exp(largest - score) : 1;
    largest = fmax(largest, score);
    const double weight = exp(score - largest);
    weights = weights * kept + weight;
    for (int i = 0; i < most_parts && 32 * i < D; ++i)
      sum[i] = sum[i] * kept + weight * value(V[other + lane + 32 * i]);
  }
  for (int i = 0; i < most_parts && 32 * i < D; ++i) O[own + lane + 32 * i] = (float)(sum[i] / weights);
}

extern "C" __global__ void attention_reference(const float* Q, const float* K, const float* V, float* O, int N,
                                               float scale, int D, int causal) {
  attend(Q, K, V, O, N, scale, D, causal);
}

extern "C" __global__ void attention_bf16_reference(const unsigned short* Q, const unsigned short* K,
                                                    const unsigned short* V, float* O, int N, float scale,
                                                    int D, int causal) {
  attend(Q, K, V, O, N, scale, D, causal);
}
