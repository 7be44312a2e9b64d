// Vectorised transpose: out[x][y] = in[y][x], every access to global and to shared memory 128 bits wide.
//
// Idea    A thread loads a 4 x 4 square as four float4s, turns it by renaming registers, and stores its columns into
//         shared memory, where the TILE x TILE square then stands as out wants it. A quarter of the instructions of
//         the tiled transpose, and four or more loads in flight per thread.
// Dials   TILE     the large square's side: pieces of 4 * TILE bytes of each row, on both sides.
//         SQUARES  4 x 4 squares per thread: the block is TILE / 4 x TILE / 4 / SQUARES threads.
//         SWIZZLE  1: a row's float4s are permuted by XOR, so that eight lanes which store one column meet eight
//                  different groups of banks; 0: they all meet one.
//         DOWN     1: blocks that run together stand below each other and write neighbouring pieces of the same rows of
//                  out; 0: beside each other, and it is the reads that are neighbours.
// Watch   The DRAM dot beside that of the plain copy: from TILE 64 on it is nearly there. SWIZZLE 0 shows an 8-way
//         store conflict that costs little here, since DRAM holds the kernel back. DOWN 1 gains a percent or two.
// Source  G. Ruetsch, P. Micikevicius, "Optimizing Matrix Transpose in CUDA", NVIDIA, 2009; XOR schemes as in
//         transpose_swizzled.
//
// in is M x N, out is N x M, row major, any size; rows that are no multiple of 16 bytes fall back to 32-bit accesses.
__device__ float4 load_row(const float* __restrict__ row, int x, int width) {
  if (width % 4 == 0) {
    if (x >= width) return {};
    return *(const float4*)(row + x);
  }
  float4 v = {};
  if (x < width) v.x = row[x];
  if (x + 1 < width) v.y = row[x + 1];
  if (x + 2 < width) v.z = row[x + 2];
  if (x + 3 < width) v.w = row[x + 3];
  return v;
}

__device__ void store_row(float* __restrict__ row, int x, int width, float4 v) {
  if (width % 4 == 0) {
    if (x >= width) return;
    *(float4*)(row + x) = v;
    return;
  }
  if (x < width) row[x] = v.x;
  if (x + 1 < width) row[x + 1] = v.y;
  if (x + 2 < width) row[x + 2] = v.z;
  if (x + 3 < width) row[x + 3] = v.w;
}

__device__ int swizzled(int group, int row) {
  return SWIZZLE ? group ^ (row / 4 & 7) : group;
}

extern __shared__ float4 tile[];  // TILE rows of TILE / 4

extern "C" __global__ void __launch_bounds__(TILE* TILE / 16 / SQUARES)
    transpose_vectorized(const float* __restrict__ in, float* __restrict__ out, int M, int N) {
  constexpr int groups = TILE / 4;        // float4s in a row of the tile
  constexpr int step = groups / SQUARES;  // threads of the block in y
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int left = (DOWN ? blockIdx.y : blockIdx.x) * TILE, top = (DOWN ? blockIdx.x : blockIdx.y) * TILE;

  float4 a[SQUARES][4];
#pragma unroll
  for (int i = 0; i < 4 * SQUARES; ++i) {
    const int y = top + 4 * (ty + i / 4 * step) + i % 4;
    a[i / 4][i % 4] = y < M ? load_row(in + (long long)y * N, left + 4 * tx, N) : float4{};
  }
#pragma unroll
  for (int s = 0; s < SQUARES; ++s) {
    float4* column = &tile[4 * tx * groups + swizzled(ty + s * step, 4 * tx)];
    column[0] = {a[s][0].x, a[s][1].x, a[s][2].x, a[s][3].x};
    column[groups] = {a[s][0].y, a[s][1].y, a[s][2].y, a[s][3].y};
    column[2 * groups] = {a[s][0].z, a[s][1].z, a[s][2].z, a[s][3].z};
    column[3 * groups] = {a[s][0].w, a[s][1].w, a[s][2].w, a[s][3].w};
  }
  __syncthreads();  // a thread reads what others wrote

#pragma unroll
  for (int i = 0; i < 4 * SQUARES; ++i) {
    const int row = ty + i * step;
    const int y = left + row;
    if (y < N) store_row(out + (long long)y * M, top + 4 * tx, M, tile[row * groups + swizzled(tx, row)]);
  }
}
