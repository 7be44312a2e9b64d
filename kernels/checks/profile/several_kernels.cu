// A program for `rooftile-cli profile`: kernels of every kind on two streams, one that is launched once, one that a
// graph launches, and a child process. Prints a checksum that counting must not change.
//   several_kernels [ROUNDS] [child]
#include <cuda_fp16.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(call)                                                                          \
  do {                                                                                       \
    const cudaError_t error = call;                                                          \
    if (error != cudaSuccess) {                                                              \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));    \
      std::exit(1);                                                                          \
    }                                                                                        \
  } while (0)

constexpr int tile = 16;

__global__ void multiply(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[tile][tile], tile_b[tile][tile];
  const int row = blockIdx.y * tile + threadIdx.y, column = blockIdx.x * tile + threadIdx.x;
  float sum = 0;
  for (int step = 0; step < n / tile; ++step) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * n + step * tile + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(step * tile + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < tile; ++k) {
      sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    }
    __syncthreads();
  }
  c[row * n + column] = sum;
}

template <class T>
__global__ void copy(const T* from, T* to, size_t count) {
  const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (i < count) {
    to[i] = from[i];
  }
}

// Neighbouring lanes read the same bank of a column.
__global__ void transpose(const float* from, float* to, int n) {
  extern __shared__ float square[];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  square[threadIdx.y * 32 + threadIdx.x] = from[size_t(y) * n + x];
  __syncthreads();
  to[size_t(blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x] =
      square[threadIdx.x * 32 + threadIdx.y];
}

__global__ void scale_once(double* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    values[i] = values[i] * 1.5 + 2.0;
  }
}

__global__ void accumulate(const float* x, float* y, float factor, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    y[i] += factor * x[i];
  }
}

__global__ void halves(const __half2* x, __half2* y, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    __half2 value = x[i];
    for (int k = 0; k < 64; ++k) {
      value = __hfma2(value, value, x[i]);
    }
    y[i] = value;
  }
}

__global__ void shift(float* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    values[i] += 1;
  }
}

template <class T>
T* zeros(size_t count) {
  T* pointer = nullptr;
  CHECK(cudaMalloc(&pointer, count * sizeof(T)));
  CHECK(cudaMemset(pointer, 0, count * sizeof(T)));
  return pointer;
}

template <class T>
double sum_of(const T* device, size_t count) {
  std::vector<T> values(count);
  CHECK(cudaMemcpy(values.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
  double sum = 0;
  for (const T value : values) {
    sum += value;
  }
  return sum;
}

cudaGraphExec_t captured(cudaStream_t stream, float* values, int count) {
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  shift<<<count / 256, 256, 0, stream>>>(values, count);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  return executable;
}

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 20;
  constexpr int n = 1024, wide = 8192, few = 1 << 20;
  constexpr size_t many = size_t(64) << 20;
  std::vector<float> random(size_t(n) * n);
  for (float& value : random) {
    value = std::rand() / float(RAND_MAX);
  }
  float *a = zeros<float>(n * n), *b = zeros<float>(n * n), *c = zeros<float>(n * n);
  float *from = zeros<float>(many), *to = zeros<float>(many), *turned = zeros<float>(many);
  float *x = zeros<float>(few), *y = zeros<float>(few), *shifted = zeros<float>(few);
  double* precise = zeros<double>(few);
  __half2 *half_x = zeros<__half2>(few), *half_y = zeros<__half2>(few);
  CHECK(cudaMemcpy(a, random.data(), 4 * n * n, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(b, random.data(), 4 * n * n, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(x, random.data(), 4 * few, cudaMemcpyHostToDevice));
  cudaStream_t one, two;
  CHECK(cudaStreamCreate(&one));
  CHECK(cudaStreamCreate(&two));
  scale_once<<<few / 256, 256>>>(precise, few);
  const cudaGraphExec_t graph = captured(one, shifted, few);
  CHECK(cudaDeviceSynchronize());
  for (int round = 0; round < rounds; ++round) {
    multiply<<<dim3(n / tile, n / tile), dim3(tile, tile), 0, one>>>(a, b, c, n);
    copy<<<many / 4 / 256, 256, 0, two>>>(reinterpret_cast<const float4*>(from), reinterpret_cast<float4*>(to), many / 4);
    transpose<<<dim3(wide / 32, wide / 32), dim3(32, 32), 32 * 32 * 4, two>>>(from, turned, wide);
    accumulate<<<few / 256, 256, 0, one>>>(x, y, 0.5f, few);
    accumulate<<<few / 4 / 128, 128, 0, one>>>(x, y, 0.25f, few / 4);
    halves<<<few / 256, 256, 0, one>>>(half_x, half_y, few);
    CHECK(cudaGraphLaunch(graph, one));
  }
  CHECK(cudaDeviceSynchronize());
  std::printf("checksums %.6f %.6f %.1f %.1f\n", sum_of(c, n * n), sum_of(y, few), sum_of(shifted, few),
              sum_of(precise, few));
  if (argc > 2 && std::strcmp(argv[2], "child") == 0) {
    std::fflush(stdout);
    execl(argv[0], argv[0], "2", nullptr);
  }
  return 3;  // which rooftile-cli must hand on
}
