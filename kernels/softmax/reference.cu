// Reference of the row softmax for verification: one warp per row, in double precision.
extern "C" __global__ void row_softmax_reference(const float* in, float* out, int N) {
  in += (long long)blockIdx.x * N;
  out += (long long)blockIdx.x * N;
  double largest = in[0], sum = 0;
  for (int x = threadIdx.x; x < N; x += 32) largest = fmax(largest, (double)in[x]);
  for (int d = 16; d > 0; d /= 2) largest = fmax(largest, __shfl_xor_sync(0xffffffff, largest, d));
  for (int x = threadIdx.x; x < N; x += 32) sum += exp(in[x] - largest);
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffff, sum, d);
  for (int x = threadIdx.x; x < N; x += 32) out[x] = (float)(exp(in[x] - largest) / sum);
}
