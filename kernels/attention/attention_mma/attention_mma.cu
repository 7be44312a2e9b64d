// Attention on tensor cores: scores and weighted values are multiplied by mma.sync in BF16, summed in FP32.
//
// Idea    A warp has 16 queries. Their scores with a tile of keys come out of mma as sums in registers, and these registers
//         are, rounded to BF16, what mma wants as its first matrix: the weights go straight into the product with V.
//         The largest score and the sum of weights of a row are known by four lanes. cp.async brings the next tile.
// Dials   WARPS    of a block, 16 queries each: they share the tiles.
//         KEYS     keys in a tile.
//         PAD      rows of shared memory longer by 16 bytes, or not.
// Watch   The exponentials: one for each score, by 16 lanes of an SM's quarter a cycle, beside 4 D FLOPs on tensor cores;
//         with D = 64 they take as long as the products on Hopper. Without PAD eight rows of ldmatrix lie in the same banks.
// Source  T. Dao, "FlashAttention-2: Faster Attention with Better Parallelism and Work Partitioning", 2023.
//         NVIDIA, "Parallel Thread Execution ISA", matrix multiply-accumulate instructions.
//
// Q, K, V hold H heads of N rows of D elements of BF16, O floats, any N. CAUSAL: a query sees no later keys.
using bf16 = unsigned short;  // its bits
constexpr int threads = 32 * WARPS, rows = 16 * WARPS, row_length = D + 8 * PAD, tile = KEYS * row_length;
constexpr float log2_e = 1.44269504f;

__device__ unsigned address(const void* shared) { return (unsigned)__cvta_generic_to_shared(shared); }

__device__ float exp2_fast(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

// So many rows in the background, zeros beyond the last one there is.
template <int count>
__device__ void copy_rows(bf16* to, const bf16* from, int there) {
#pragma unroll 2
  for (int i = threadIdx.x; i < count * D / 8; i += threads) {
    const int y = i / (D / 8), x = i % (D / 8) * 8;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address(&to[y * row_length + x])),
                 "l"(from + (long long)min(y, there - 1) * D + x), "r"(y < there ? 16 : 0));
  }
}

// Four pieces of 8 x 8: lanes 8 i to 8 i + 7 name the rows of the i-th. With ".trans" a lane gets a column's elements.
#define LDMATRIX(trans, piece, row)                                                                     \
  asm volatile("ldmatrix.sync.aligned.m8n8.x4" trans ".shared.b16 {%0,%1,%2,%3}, [%4];"                 \
               : "=r"((piece)[0]), "=r"((piece)[1]), "=r"((piece)[2]), "=r"((piece)[3]) : "r"(address(row)) : "memory")

// sum += a b: 16 x 16 times 16 x 8.
__device__ void multiply(float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ unsigned rounded(float low, float high) {
  unsigned both;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
  return both;
}

// Of the four lanes that hold a row.
__device__ float largest_of_row(float x) {
  x = fmaxf(x, __shfl_xor_sync(0xffffffff, x, 1));
  return fmaxf(x, __shfl_xor_sync(0xffffffff, x, 2));
}

extern "C" __global__ void __launch_bounds__(threads)
    attention_mma(const bf16* __restrict__ Q, const bf16* __restrict__ K, const bf16* __restrict__ V,
                  float* __restrict__ O, int N, float scale) {
  extern __shared__ __align__(16) bf16 tiles[];  // two stages of a tile of K and one of V, before them once Q
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, first = blockIdx.x * rows;
  const int query = first + warp * 16 + lane / 4;  // of a lane, and eight rows further
  const long long head = (long long)blockIdx.y * N * D;

  unsigned q[D / 16][4];
  copy_rows<rows>(tiles, Q + head + (long long)first * D, N - first);
  asm volatile("cp.async.commit_group;\ncp.async.wait_group 0;" ::: "memory");
  __syncthreads();
#pragma unroll
  for (int i = 0; i < D / 16; ++i)
    LDMATRIX("", q[i], &tiles[(warp * 16 + lane % 16) * row_length + i * 16 + lane / 16 * 8]);
  __syncthreads();

  const int keys = CAUSAL ? min(N, first + rows) : N;
  const auto copy_step = [&](int k0) {
    bf16* to = tiles + k0 / KEYS % 2 * 2 * tile;
    if (k0 < keys) {
      copy_rows<KEYS>(to, K + head + (long long)k0 * D, N - k0);
      copy_rows<KEYS>(to + tile, V + head + (long long)k0 * D, N - k0);
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
  };

  float sum[D / 8][4] = {}, largest[2] = {-1e30f, -1e30f}, weights[2] = {};
  copy_step(0);
#pragma unroll 1
  for (int k0 = 0; k0 < keys; k0 += KEYS) {
    copy_step(k0 + KEYS);
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    const bf16* Ks = tiles + k0 / KEYS % 2 * 2 * tile;
    const bf16* Vs = Ks + tile;

    float score[KEYS / 8][4] = {};
#pragma unroll
    for (int i = 0; i < D / 16; ++i)
#pragma unroll
      for (int j = 0; j < KEYS / 16; ++j) {
        unsigned k[4];  // of keys 0 to 7 and 8 to 15 the elements 0 to 7 and 8 to 15
        LDMATRIX("", k, &Ks[(j * 16 + lane % 8 + lane / 16 * 8) * row_length + i * 16 + lane / 8 % 2 * 8]);
        multiply(score[2 * j], q[i], k[0], k[1]);
        multiply(score[2 * j + 1], q[i], k[2], k[3]);
      }

    const bool cut = k0 + KEYS > N || (CAUSAL && k0 + KEYS > first + warp * 16);
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float tile_largest = largest[half];
#pragma unroll
      for (int j = 0; j < KEYS / 8; ++j)
#pragma unroll
        for (int e = 0; e < 2; ++e) {
          const int key = k0 + j * 8 + lane % 4 * 2 + e;
          float& s = score[j][2 * half + e];
          s = cut && (key >= N || (CAUSAL && key > query + 8 * half)) ? -2e30f : scale * log2_e * s;
          tile_largest = fmaxf(tile_largest, s);
        }
      tile_largest = largest_of_row(tile_largest);
      const float kept = exp2_fast(largest[half] - tile_largest);
      largest[half] = tile_largest;
      weights[half] *= kept;
#pragma unroll
      for (int i = 0; i < D / 8; ++i) sum[i][2 * half] *= kept, sum[i][2 * half + 1] *= kept;
#pragma unroll
      for (int j = 0; j < KEYS / 8; ++j)
#pragma unroll
        for (int e = 0; e < 2; ++e) {
          float& s = score[j][2 * half + e];
          s = exp2_fast(s - tile_largest);
          weights[half] += s;
        }
    }

#pragma unroll
    for (int j = 0; j < KEYS / 16; ++j) {
      const unsigned weight[4] = {rounded(score[2 * j][0], score[2 * j][1]), rounded(score[2 * j][2], score[2 * j][3]),
                                  rounded(score[2 * j + 1][0], score[2 * j + 1][1]),
                                  rounded(score[2 * j + 1][2], score[2 * j + 1][3])};
#pragma unroll
      for (int i = 0; i < D / 16; ++i) {
        unsigned v[4];
        LDMATRIX(".trans", v, &Vs[(j * 16 + lane % 16) * row_length + i * 16 + lane / 16 * 8]);
        multiply(sum[2 * i], weight, v[0], v[1]);
        multiply(sum[2 * i + 1], weight, v[2], v[3]);
      }
    }
    __syncthreads();  // the tile has been read
  }

#pragma unroll
  for (int half = 0; half < 2; ++half) {
    float all = weights[half] + __shfl_xor_sync(0xffffffff, weights[half], 1);
    all += __shfl_xor_sync(0xffffffff, all, 2);
    const int y = query + 8 * half;
    if (y < N)
#pragma unroll
      for (int i = 0; i < D / 8; ++i)
        *(float2*)&O[head + (long long)y * D + i * 8 + lane % 4 * 2] =
            float2{sum[i][2 * half] / all, sum[i][2 * half + 1] / all};
  }
}
