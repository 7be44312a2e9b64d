// Reference of out = in^T for verification: one element of so many bytes per thread.
extern "C" __global__ void transpose_reference(const char* in, char* out, int M, int N, int bytes) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N) return;
  for (int b = 0; b < bytes; ++b)
    out[((long long)col * M + row) * bytes + b] = in[((long long)row * N + col) * bytes + b];
}

// Reference of C = alpha * A + beta * B^T for verification: one element per thread, in double precision.
extern "C" __global__ void transpose_axpby_reference(const float* A, const float* B, float* C, int M, int N, float alpha,
                                                     float beta) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N) return;
  const double a = A[(long long)row * N + col], b = B[(long long)col * M + row];
  C[(long long)row * N + col] = (float)(alpha * a + beta * b);
}
