// Kernels that hand over arguments, memory and launches in different ways. Each is launched 20 times on data of its own.
#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda/barrier>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                \
  do {                                                                             \
    if (const cudaError_t error = (call); error != cudaSuccess) {                  \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));          \
      std::exit(1);                                                                \
    }                                                                              \
  } while (false)

template <class T>
__global__ void scale_add(int n, T a, const T* x, T* y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = a * x[i] + y[i];
}

__constant__ float coefficients[8];
__global__ void polynomial(int n, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < 8; ++k) sum = sum * x[i] + coefficients[k];
  y[i] = sum;
}

struct View {
  int width;
  const float* elements;
  char tag;
  double factor;
  float* result;
};
__global__ void scale_view(View view) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < view.width) view.result[i] = static_cast<float>(view.factor * view.elements[i]) + view.tag;
}

__global__ void histogram(int n, const unsigned* values, unsigned* bins) {
  extern __shared__ unsigned own[];
  for (int i = threadIdx.x; i < 4096; i += blockDim.x) own[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[values[i] % 4096], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 4096; i += blockDim.x) atomicAdd(&bins[i], own[i]);
}

constexpr int tile = 32;
__global__ void multiply(int n, const float* a, const float* b, float* c) {
  __shared__ float of_a[tile][tile], of_b[tile][tile];
  const int row = blockIdx.y * tile + threadIdx.y, column = blockIdx.x * tile + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    of_a[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    of_b[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
    for (int i = 0; i < tile; ++i) sum += of_a[threadIdx.y][i] * of_b[i][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void neighbour_sum(int n, const float* x, float* y) {
  __shared__ float own[256];
  const auto cluster = cooperative_groups::this_cluster();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  own[threadIdx.x] = i < n ? x[i] : 0;
  cluster.sync();
  const float* other = cluster.map_shared_rank(own, cluster.block_rank() ^ 1);
  if (i < n) y[i] = own[threadIdx.x] + other[threadIdx.x];
  cluster.sync();
}

__global__ void two_steps(int n, float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  for (int k = i; k < n; k += all) x[k] = x[k] * 1.0001f;
  cooperative_groups::this_grid().sync();
  for (int k = i; k < n; k += all) y[k] = x[n - 1 - k];
}

namespace {
__device__ float offset_of_all;
__global__ void add_offset(int n, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] + offset_of_all;
}
}  // namespace

// Sums of squares, a row of `columns` a block.
constexpr int row_threads = 128;
__global__ void row_energy(int columns, const float* in, float* out) {
  __shared__ float partial[row_threads];
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += row_threads) sum += in[blockIdx.x * columns + i] * in[blockIdx.x * columns + i];
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (int step = row_threads / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) partial[threadIdx.x] += partial[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}

// A block copies a row of 256 through TMA.
constexpr int row_length = 256;
__global__ void through_tensor_map(const __grid_constant__ CUtensorMap rows, float* out) {
#if __CUDA_ARCH__ >= 900
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ alignas(128) float row[row_length];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier arrived;
  if (threadIdx.x == 0) {
    init(&arrived, blockDim.x);
    cuda::device::experimental::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  Barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::device::experimental::cp_async_bulk_tensor_2d_global_to_shared(row, &rows, 0, blockIdx.x, arrived);
    token = cuda::device::barrier_arrive_tx(arrived, 1, sizeof row);
  } else {
    token = arrived.arrive();
  }
  arrived.wait(std::move(token));
  out[blockIdx.x * row_length + threadIdx.x] = row[threadIdx.x];
#endif
}

// The driver keeps what a texture is, and a replay has none.
__global__ void through_texture(int n, cudaTextureObject_t texture, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * tex1Dfetch<float>(texture, i);
}

// Follows addresses that lie in memory, which a replay cannot.
__global__ void through_table(int n, float* const* table) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) table[1][i] = 2 * table[0][i];
}

template <class T>
T* filled(std::size_t count, unsigned seed) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>((i * 2654435761u + seed) >> 12 & 0xffff) / T{7};
  T* memory = nullptr;
  CHECK(cudaMalloc(&memory, count * sizeof(T)));
  CHECK(cudaMemcpy(memory, values.data(), count * sizeof(T), cudaMemcpyHostToDevice));
  return memory;
}

CUtensorMap rows_of(float* matrix, cuuint64_t rows) {
  void* encode = nullptr;
  cudaDriverEntryPointQueryResult found;
  CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000, cudaEnableDefault, &found));
  const cuuint64_t sizes[] = {row_length, rows}, strides[] = {row_length * sizeof(float)};
  const cuuint32_t box[] = {row_length, 1}, steps[] = {1, 1};
  CUtensorMap map;
  const CUresult result = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(encode)(
      &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, matrix, sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
      CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) std::fprintf(stderr, "cuTensorMapEncodeTiled: %d\n", result), std::exit(1);
  return map;
}

cudaTextureObject_t texture_of(float* numbers, std::size_t count) {
  cudaResourceDesc memory{};
  memory.resType = cudaResourceTypeLinear;
  memory.res.linear.devPtr = numbers;
  memory.res.linear.desc = cudaCreateChannelDesc<float>();
  memory.res.linear.sizeInBytes = count * sizeof(float);
  cudaTextureDesc reads{};
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &memory, &reads, nullptr));
  return texture;
}

int main() {
  const int n = 1 << 24, side = 2048, blocks = (n + 255) / 256;
  float *x = filled<float>(n + 4096, 1), *y = filled<float>(n, 2), *z = filled<float>(n, 3);
  double *xd = filled<double>(n, 4), *yd = filled<double>(n, 5);
  unsigned *values = filled<unsigned>(n, 6), *bins = filled<unsigned>(4096, 7);
  const float of_polynomial[8] = {0.1f, -0.2f, 0.3f, -0.4f, 0.5f, -0.6f, 0.7f, -0.8f}, offset = 2.5f;
  CHECK(cudaMemcpyToSymbol(coefficients, of_polynomial, sizeof of_polynomial));
  CHECK(cudaMemcpyToSymbol(offset_of_all, &offset, sizeof offset));
  float* const pointers[] = {x, y};
  float** table = nullptr;
  CHECK(cudaMalloc(&table, sizeof pointers));
  CHECK(cudaMemcpy(table, pointers, sizeof pointers, cudaMemcpyHostToDevice));
  const cudaTextureObject_t texture = texture_of(y, n);
  cudaDeviceProp gpu{};
  CHECK(cudaGetDeviceProperties(&gpu, 0));

  for (int i = 0; i < 20; ++i) {
    scale_add<<<blocks, 256>>>(n, 1.5f, x + 1024, y);
    scale_add<<<4096, 256>>>(n, 0.25, xd, yd);
    polynomial<<<blocks, 256>>>(n, x, z);
    scale_view<<<blocks, 256>>>({n, x + 16, 3, 0.5, y});
    histogram<<<gpu.multiProcessorCount, 512, 16384>>>(n, values, bins);
    multiply<<<dim3(side / tile, side / tile), dim3(tile, tile)>>>(side, x, y, z);
    add_offset<<<blocks, 256>>>(n, x, z);
    row_energy<<<n / 4096, row_threads>>>(4096, x, z);
    through_table<<<blocks, 256>>>(n, table);
    through_texture<<<blocks, 256>>>(n, texture, z);
    if (gpu.major >= 9) {
      through_tensor_map<<<n / row_length, row_length>>>(rows_of(x, n / row_length), z);
      cudaLaunchConfig_t config{};
      cudaLaunchAttribute pair{};
      pair.id = cudaLaunchAttributeClusterDimension;
      pair.val.clusterDim.x = 2;
      pair.val.clusterDim.y = pair.val.clusterDim.z = 1;
      config.gridDim = blocks;
      config.blockDim = 256;
      config.attrs = &pair;
      config.numAttrs = 1;
      CHECK(cudaLaunchKernelEx(&config, neighbour_sum, n, static_cast<const float*>(x), y));
    }
    int count = n;
    void* arguments[] = {&count, &x, &z};
    CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(two_steps), dim3(gpu.multiProcessorCount), dim3(512), arguments,
                                      0, nullptr));
  }
  CHECK(cudaDeviceSynchronize());
  std::puts("done");
}
