// Reference of out = in^T for verification: one element a thread.
extern "C" __global__ void transpose_reference(const float* in, float* out, int M, int N) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) out[(long long)col * M + row] = in[(long long)row * N + col];
}
