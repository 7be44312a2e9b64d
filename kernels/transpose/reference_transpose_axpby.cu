// Reference of C = alpha * A + beta * B^T for verification: one element a thread, in double precision.
extern "C" __global__ void transpose_axpby_reference(const float* A, const float* B, float* C, int M, int N, float alpha,
                                                     float beta) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N) return;
  const double a = A[(long long)row * N + col], b = B[(long long)col * M + row];
  C[(long long)row * N + col] = (float)(alpha * a + beta * b);
}
