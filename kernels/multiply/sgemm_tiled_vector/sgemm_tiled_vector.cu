// Tiled matrix multiply with 128-bit accesses: C = alpha A B + beta C, four outputs of a row per thread.
//
// Idea    Like the tiled kernel, but a thread moves four neighbouring floats at once, from global to shared memory
//         and from there to registers: a quarter of the instructions for the same bytes, and A serves four outputs.
// Dials   TILE   the square's side; TILE^2 / 4 threads per block.
//         PAD_A, PAD_B   unused columns behind each row of the shared squares, in fours: an access of 128 bits must
//         start at 16 bytes, so odd padding, which removes conflicts elsewhere, is not possible here.
// Watch   The shared-memory dot moves right, since four FMAs share what one loaded before. At TILE 16 and 32 eight lanes
//         of a load reach two rows of A in the same banks: PAD_A 4 parts them. At TILE 16 it sets the stores of two rows
//         against each other instead. PAD_B buys nothing.
// Source  J. Luitjens, "CUDA Pro Tip: Increase Performance with Vectorized Memory Access", NVIDIA, 2013.
//
// Row major, any M, N, K: A is M x K, B is K x N, C is M x N; their rows are lda, ldb and ldc floats apart.

// Up to four floats of a row, cols of them inside the matrix, the others zero; in one load where rows start at 16 bytes.
__device__ float4 load4(const float* from, int cols, bool aligned) {
  if (aligned && cols >= 4) return *(const float4*)from;
  float4 v = {};
  if (cols > 0) v.x = from[0];
  if (cols > 1) v.y = from[1];
  if (cols > 2) v.z = from[2];
  if (cols > 3) v.w = from[3];
  return v;
}

__device__ void store4(float* to, float4 v, int cols, bool aligned) {
  if (aligned && cols >= 4) {
    *(float4*)to = v;
  } else {
    if (cols > 0) to[0] = v.x;
    if (cols > 1) to[1] = v.y;
    if (cols > 2) to[2] = v.z;
    if (cols > 3) to[3] = v.w;
  }
}

// v + s * w
__device__ float4 fma4(float s, float4 w, float4 v) {
  return {v.x + s * w.x, v.y + s * w.y, v.z + s * w.z, v.w + s * w.w};
}

extern "C" __global__ void __launch_bounds__(TILE* TILE / 4)
    sgemm_tiled_vector(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int N,
                       int K, int lda, int ldb, int ldc, float alpha, float beta) {
  __shared__ __align__(16) float As[TILE][TILE + PAD_A];
  __shared__ __align__(16) float Bs[TILE][TILE + PAD_B];

  const int x = threadIdx.x * 4, y = threadIdx.y;
  const int row = blockIdx.y * TILE + y;
  const int col = blockIdx.x * TILE + x;

  float4 sum = {};
#pragma unroll 1
  for (int k0 = 0; k0 < K; k0 += TILE) {
    // Elements outside the matrices count as zero, so ragged edges need no special loop.
    const int cols_a = row < M ? K - k0 - x : 0, cols_b = k0 + y < K ? N - col : 0;
    *(float4*)&As[y][x] = load4(&A[(long long)row * lda + k0 + x], cols_a, lda % 4 == 0);
    *(float4*)&Bs[y][x] = load4(&B[(long long)(k0 + y) * ldb + col], cols_b, ldb % 4 == 0);
    __syncthreads();  // the squares are whole before anyone reads them

#pragma unroll
    for (int k = 0; k < TILE; k += 4) {
      const float4 a = *(const float4*)&As[y][k];
      sum = fma4(a.x, *(const float4*)&Bs[k][x], sum);
      sum = fma4(a.y, *(const float4*)&Bs[k + 1][x], sum);
      sum = fma4(a.z, *(const float4*)&Bs[k + 2][x], sum);
      sum = fma4(a.w, *(const float4*)&Bs[k + 3][x], sum);
    }
    __syncthreads();  // everyone has read them before the next step overwrites them
  }

  const int cols = row < M ? N - col : 0;
  if (cols <= 0) return;
  float* c = &C[(long long)row * ldc + col];
  float4 out = {alpha * sum.x, alpha * sum.y, alpha * sum.z, alpha * sum.w};
  if (beta != 0.0f) out = fma4(beta, load4(c, cols, ldc % 4 == 0), out);  // else C may hold anything, even NaN
  store4(c, out, cols, ldc % 4 == 0);
}
