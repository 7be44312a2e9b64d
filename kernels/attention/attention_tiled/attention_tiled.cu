// Attention with tiles of keys in shared memory and the softmax on the way: no score is ever written down.
//
// Idea    A block of queries shares each tile of K and V. A query's sum over the keys so far is right but for a factor:
//         when a larger score comes, what was summed with the smaller largest one is scaled down, and the walk goes on.
//         One walk over the keys instead of three, and N scores less to keep.
// Dials   ROWS     queries of a block: they share the tiles, so more of them read less of L2.
//         KEYS     keys in a tile. Their scores stay in registers until the largest is known.
//         SPLIT    threads of a query, each with a part of D in registers: fewer registers per thread, and a shuffle.
// Watch   All threads read the same K[j][d] at once, a broadcast; a float4 of it feeds four FFMA, so shared memory is busy
//         before the FMA pipe is. With SPLIT 1 and D = 64 a thread holds 128 floats of q and O: occupancy is low and it
//         does not matter.
// Source  M. Milakov, N. Gimelshein, "Online normalizer calculation for softmax", NVIDIA, 2018.
//         T. Dao, D. Fu, S. Ermon, A. Rudra, C. Re, "FlashAttention", 2022, for the tiles.
//
// Q, K, V, O hold H heads of N rows of D floats, any N. CAUSAL: a query sees no later keys.
constexpr int threads = ROWS * SPLIT, vectors = D / 4, own = vectors / SPLIT;  // float4 of a row, of a thread
constexpr float log2_e = 1.44269504f;

__device__ float exp2_fast(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

__device__ float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

__device__ void add(float4& sum, float weight, float4 v) {
  sum.x += weight * v.x, sum.y += weight * v.y, sum.z += weight * v.z, sum.w += weight * v.w;
}

// Rows beyond the last key become zeros.
__device__ void copy_tile(float4 (&tile)[KEYS][vectors], const float4* from, int rows) {
  for (int i = threadIdx.x; i < KEYS * vectors; i += threads)
    tile[i / vectors][i % vectors] = i / vectors < rows ? from[i] : float4{};
}

extern "C" __global__ void __launch_bounds__(threads, 1)
    attention_tiled(const float4* __restrict__ Q, const float4* __restrict__ K, const float4* __restrict__ V,
                    float4* __restrict__ O, int N, float scale) {
  __shared__ float4 Ks[KEYS][vectors], Vs[KEYS][vectors];
  const int first = blockIdx.x * ROWS, query = first + threadIdx.x / SPLIT, part = threadIdx.x % SPLIT;
  const long long head = (long long)blockIdx.y * N * vectors, row = head + (long long)min(query, N - 1) * vectors;
  float4 q[own], sum[own] = {};
#pragma unroll
  for (int i = 0; i < own; ++i) q[i] = Q[row + i * SPLIT + part];

  float largest = -1e30f, weights = 0;
  const int keys = CAUSAL ? min(N, first + ROWS) : N;
  for (int k0 = 0; k0 < keys; k0 += KEYS) {
    __syncthreads();  // the tile before has been read
    copy_tile(Ks, K + head + (long long)k0 * vectors, N - k0);
    copy_tile(Vs, V + head + (long long)k0 * vectors, N - k0);
    __syncthreads();

    float score[KEYS], tile_largest = largest;
#pragma unroll
    for (int j = 0; j < KEYS; ++j) {
      score[j] = 0;
#pragma unroll
      for (int i = 0; i < own; ++i) score[j] += dot(q[i], Ks[j][i * SPLIT + part]);
#pragma unroll
      for (int distance = 1; distance < SPLIT; distance *= 2)
        score[j] += __shfl_xor_sync(0xffffffff, score[j], distance);
      const int key = k0 + j;
      score[j] = key < N && (!CAUSAL || key <= query) ? scale * log2_e * score[j] : -2e30f;
      tile_largest = fmaxf(tile_largest, score[j]);
    }

    const float kept = exp2_fast(largest - tile_largest);
    largest = tile_largest;
    weights *= kept;
#pragma unroll
    for (int i = 0; i < own; ++i) sum[i] = {kept * sum[i].x, kept * sum[i].y, kept * sum[i].z, kept * sum[i].w};
#pragma unroll
    for (int j = 0; j < KEYS; ++j) {
      const float weight = exp2_fast(score[j] - largest);
      weights += weight;
#pragma unroll
      for (int i = 0; i < own; ++i) add(sum[i], weight, Vs[j][i * SPLIT + part]);
    }
  }

  if (query < N) {
    const float each = 1 / weights;
#pragma unroll
    for (int i = 0; i < own; ++i)
      O[row + i * SPLIT + part] = {each * sum[i].x, each * sum[i].y, each * sum[i].z, each * sum[i].w};
  }
}
