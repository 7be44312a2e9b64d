// One output per thread, without shared memory.
extern "C" __global__ void sgemm_race_reference(const float* __restrict__ A, const float* __restrict__ B,
                                                float* __restrict__ C, int N) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= N || col >= N) return;
  float sum = 0.0f;
  for (int k = 0; k < N; ++k) sum += A[row * N + k] * B[k * N + col];
  C[row * N + col] = sum;
}
