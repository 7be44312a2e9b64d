// Measures the roofs of the tensor cores of compute capability 9.0 (sm_90a) with wgmma, the instruction of four warps,
// which multiplies two matrices in shared memory. mma.sync reaches some 60 % of these roofs.
// Each instruction computes 64 x 128 sums over 32 bytes of a row; four are under way together.

// INSTRUCTION, SCALES: as the type has them: "m64n128k16.f32.bf16.bf16", ", 1, 1, 0, 0".
#if INTEGERS
typedef int Sum;
#define SUM_REGISTER "=r"
#else
typedef float Sum;
#define SUM_REGISTER "=f"
#endif

#define EIGHT(i) "d" #i "0,d" #i "1,d" #i "2,d" #i "3,d" #i "4,d" #i "5,d" #i "6,d" #i "7"
#define SUMS EIGHT(0) "," EIGHT(1) "," EIGHT(2) "," EIGHT(3) "," EIGHT(4) "," EIGHT(5) "," EIGHT(6) "," EIGHT(7)

// Describes a matrix whose 8 rows x 16 bytes lie together, without swizzle, 128 B apart along a row and 256 B along a
// column.
__device__ unsigned long long descriptor(const void* matrix) {
  return (unsigned long long)__cvta_generic_to_shared(matrix) >> 4 | 128ull >> 4 << 16 | 256ull >> 4 << 32;
}

// Signs and digits at random, as in mma_roofs.cu. The tensor cores read shared memory on another path than threads
// write it.
__device__ void fill(unsigned* words, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    const unsigned bits = (i + 1) * 0x9e3779b9u;
    words[i] = (bits ^ bits >> 15) & 0x80778077u | 0x38003800u;
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
}

#define PRODUCT "wgmma.mma_async.sync.aligned." INSTRUCTION " {" SUMS "}, %1, %2, add" SCALES ";\n"

extern "C" __global__ void wgmma(Sum* never, int rounds) {
  __shared__ alignas(128) unsigned a[64 * 8], b[128 * 8];
  fill(a, 64 * 8);
  fill(b, 128 * 8);
  Sum sum;
  asm volatile(
      "{\n"
      ".reg .b32 " SUMS ";\n"
      ".reg .pred add, more;\n"
      ".reg .s32 round;\n"
      "mov.s32 round, 0;\n"
      "AGAIN:\n"
      "setp.ne.s32 add, round, 0;\n"
      "wgmma.fence.sync.aligned;\n" PRODUCT PRODUCT PRODUCT PRODUCT
      "wgmma.commit_group.sync.aligned;\n"
      "wgmma.wait_group.sync.aligned 0;\n"
      "add.s32 round, round, 1;\n"
      "setp.lt.s32 more, round, %3;\n"
      "@more bra AGAIN;\n"
      "mov.b32 %0, d00;\n"
      "}"
      : SUM_REGISTER(sum)
      : "l"(descriptor(a)), "l"(descriptor(b)), "r"(rounds)
      : "memory");
  if (sum == (Sum)1.2345) *never = sum;  // keeps the products
}
