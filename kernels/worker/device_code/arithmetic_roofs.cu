// Measures the roofs of ordinary arithmetic: eight independent chains of multiply-adds per thread, 64 multiply-adds per
// round.

template <class T, class MultiplyAdd>
__device__ void chains(T* never, T a, T b, int rounds, MultiplyAdd multiply_add) {
  T x[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) x[i] = (T)(threadIdx.x + i);
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int i = 0; i < 64; ++i) x[i % 8] = multiply_add(x[i % 8], a, b);
  T sum = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) sum += x[i];
  if (sum == (T)1.2345) *never = sum;  // keeps the chains
}

extern "C" __global__ void fp64_fma(double* never, double a, double b, int rounds) {
  chains(never, a, b, rounds, [](double x, double a, double b) { return fma(x, a, b); });
}

extern "C" __global__ void fp32_fma(float* never, float a, float b, int rounds) {
  chains(never, a, b, rounds, [](float x, float a, float b) { return fmaf(x, a, b); });
}

// Two half-precision numbers in each register.
extern "C" __global__ void fp16_fma(unsigned* never, unsigned a, unsigned b, int rounds) {
  chains(never, a, b, rounds, [](unsigned x, unsigned a, unsigned b) {
    asm("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b));
    return x;
  });
}

extern "C" __global__ void int32_mad(unsigned* never, unsigned a, unsigned b, int rounds) {
  chains(never, a, b, rounds, [](unsigned x, unsigned a, unsigned b) { return x * a + b; });
}
