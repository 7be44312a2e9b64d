// Measures the roofs of the tensor cores with mma.sync, the instruction of one warp, with inputs from registers. Eight
// independent sums per warp, so that no product waits for the one before.
// INSTRUCTION, as the type has it: "m16n8k16.row.col.f32.bf16.bf16.f32".

#if INTEGERS
typedef int Sum;
#define IN_OUT "+r"
#else
typedef float Sum;
#define IN_OUT "+f"
#endif

// Signs and digits at random, for the power that real numbers take: of order 1 in FP8 and FP16, small in BF16 and TF32.
__device__ unsigned some_number(unsigned seed) {
  const unsigned bits = (seed * 1024 + threadIdx.x + 1) * 0x9e3779b9u;
  return (bits ^ bits >> 15) & 0x80778077u | 0x38003800u;
}

extern "C" __global__ void mma(Sum* never, int rounds) {
  Sum d[8][4] = {};
  unsigned a[4], b[2];
  for (int i = 0; i < 4; ++i) a[i] = some_number(i);
  for (int i = 0; i < 2; ++i) b[i] = some_number(4 + i);
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int i = 0; i < 8; ++i)
      asm volatile("mma.sync.aligned." INSTRUCTION " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                   : IN_OUT(d[i][0]), IN_OUT(d[i][1]), IN_OUT(d[i][2]), IN_OUT(d[i][3])
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  for (int i = 0; i < 8; ++i)
    if (d[i][0] == (Sum)1.2345) *never = d[i][0];  // keeps the products
}
