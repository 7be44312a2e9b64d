// Reference of out = in for verification: one element a thread.
extern "C" __global__ void copy_reference(const float* in, float* out, long long count) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i];
}
