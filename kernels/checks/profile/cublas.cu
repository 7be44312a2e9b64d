// A program for `rooftile-cli profile`: products of cuBLAS in FP32, TF32, BF16 and FP64, each several times.
//   nvcc -cudart static cublas.cu -lcublas; cublas [ROUNDS]
#include <cublas_v2.h>
#include <cuda_bf16.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                         \
  do {                                                                      \
    const int status = static_cast<int>(call);                              \
    if (status != 0) {                                                      \
      std::fprintf(stderr, "%s:%d: status %d\n", __FILE__, __LINE__, status); \
      std::exit(1);                                                         \
    }                                                                       \
  } while (0)

template <class T>
__global__ void fill(T* values, size_t count) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count; i += size_t(gridDim.x) * blockDim.x) {
    values[i] = T(float((i * 2654435761u) % 1000) / 1000 - 0.5f);
  }
}

template <class T>
struct Matrices {
  T *a, *b, *c;
  explicit Matrices(int n) {
    for (T** matrix : {&a, &b, &c}) {
      CHECK(cudaMalloc(matrix, sizeof(T) * n * n));
      fill<<<1024, 256>>>(*matrix, size_t(n) * n);
    }
  }
};

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 20;
  constexpr int n = 4096;
  const Matrices<float> single(n);
  const Matrices<double> precise(n / 2);
  const Matrices<__nv_bfloat16> brief(n);
  cublasHandle_t handle;
  CHECK(cublasCreate(&handle));
  const float one = 1, none = 0;
  const double one_precise = 1, none_precise = 0;
  for (int round = 0; round < rounds; ++round) {
    CHECK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, single.a, CUDA_R_32F, n, single.b, CUDA_R_32F, n,
                       &none, single.c, CUDA_R_32F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    CHECK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, single.a, CUDA_R_32F, n, single.b, CUDA_R_32F, n,
                       &none, single.c, CUDA_R_32F, n, CUBLAS_COMPUTE_32F_FAST_TF32, CUBLAS_GEMM_DEFAULT));
    CHECK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, brief.a, CUDA_R_16BF, n, brief.b, CUDA_R_16BF, n,
                       &none, brief.c, CUDA_R_16BF, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    CHECK(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n / 2, n / 2, n / 2, &one_precise, precise.a, n / 2, precise.b,
                      n / 2, &none_precise, precise.c, n / 2));
  }
  CHECK(cudaDeviceSynchronize());
  float corner = 0;
  CHECK(cudaMemcpy(&corner, single.c, sizeof corner, cudaMemcpyDeviceToHost));
  std::printf("corner %.6f\n", corner);
}
