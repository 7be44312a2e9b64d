// Measures the FP64 roof of the tensor cores with mma.sync, as in mma_roofs.cu. M16N8K16 says which
// shape is fastest on the compute capability.

#if M16N8K16
constexpr int sums = 4, left = 8, right = 4;  // of a thread: m16n8k16
#else
constexpr int sums = 2, left = 1, right = 1;  // m8n8k4
#endif

__device__ void multiply_add(double (&d)[sums], const double (&a)[left], const double (&b)[right]) {
#if M16N8K16
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, "
      "{%12, %13, %14, %15}, {%0, %1, %2, %3};"
      : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]), "d"(b[1]),
        "d"(b[2]), "d"(b[3]));
#else
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
               : "+d"(d[0]), "+d"(d[1])
               : "d"(a[0]), "d"(b[0]));
#endif
}

extern "C" __global__ void fp64_mma(double* never, int rounds) {
  double d[8][sums] = {}, a[left], b[right];
  for (int i = 0; i < left; ++i) a[i] = 0.51 + threadIdx.x * 0.0123 - i;
  for (int i = 0; i < right; ++i) b[i] = 0.73 - threadIdx.x * 0.0321 + i;
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int i = 0; i < 8; ++i) multiply_add(d[i], a, b);
  for (int i = 0; i < 8; ++i)
    if (d[i][0] == 1.2345) *never = d[i][0];  // keeps the products
}
