// Fills inputs, compares results with the reference, and evicts everything from the caches.
// ELEMENT is the buffer's element type.

// Well-mixed bits of an index (the finalizer of MurmurHash3, A. Appleby, public domain).
__device__ unsigned mixed(unsigned long long index, unsigned seed) {
  unsigned bits = (unsigned)index ^ (unsigned)(index >> 32) * 0x9e3779b9u ^ seed;
  bits = (bits ^ bits >> 16) * 0x85ebca6bu;
  bits = (bits ^ bits >> 13) * 0xc2b2ae35u;
  return bits ^ bits >> 16;
}

// Types whose CUDA headers are dear to compile: as much of them as filling and comparing take.
struct bfloat16 {
  unsigned short bits;
  __device__ explicit operator double() const { return __uint_as_float((unsigned)bits << 16); }
};
struct half {
  unsigned short bits;
  __device__ explicit operator double() const {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    return value;
  }
};

typedef long long long_long;  // as a kernel.toml writes it

__device__ void set(float& value, double number) { value = __double2float_rz(number); }  // less than below stays less
__device__ void set(double& value, double number) { value = number; }
__device__ void set(bfloat16& value, double number) {
  const unsigned b = __float_as_uint((float)number);
  value.bits = (b + 0x7fff + (b >> 16 & 1)) >> 16;  // to the nearest, ties to even
}
__device__ void set(half& value, double number) { asm("cvt.rn.f16.f32 %0, %1;" : "=h"(value.bits) : "f"((float)number)); }
template <class Integer>
__device__ void set(Integer& value, double number) {
  value = (Integer)(long long)number;
}

// Floating point: uniform in [-0.5, 0.5). Integers: all bits random.
__device__ void set_random(float& value, unsigned bits) { value = (float)(bits >> 8) * 0x1p-24f - 0.5f; }
__device__ void set_random(double& value, unsigned bits) { value = bits * 0x1p-32 - 0.5; }
__device__ void set_random(bfloat16& value, unsigned bits) { set(value, (float)(bits >> 8) * 0x1p-24f - 0.5f); }
__device__ void set_random(half& value, unsigned bits) { set(value, (float)(bits >> 8) * 0x1p-24f - 0.5f); }
template <class Integer>
__device__ void set_random(Integer& value, unsigned bits) {
  value = (Integer)bits;
}

// below: elements are from 0 to less than this, or 0 for any. ascending: evenly from 0 to below - 1; else at random, of
// which the share `skew`, drawn at random, equals the first one.
extern "C" __global__ void fill(ELEMENT* data, long long count, double below, int ascending, double skew, unsigned seed) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < count; i += (long long)gridDim.x * blockDim.x) {
    const unsigned bits = mixed(mixed(i, ~seed) * 0x1p-32 < skew ? 0 : i, seed);
    if (ascending)
      set(data[i], count > 1 ? i * (below - 1) / (count - 1) : 0);
    else if (below > 0)
      set(data[i], bits * 0x1p-32 * below);
    else
      set_random(data[i], bits);
  }
}

// largest_error as the bits of a non-negative float, which order like the float itself; NaN counts as infinite.
struct Comparison {
  unsigned largest_error;
  unsigned padding;
  unsigned long long first_bad;  // index of the first element beyond the tolerance
  double got, expected;          // there
};

extern "C" __global__ void compare(const ELEMENT* result, const ELEMENT* reference, long long count, double tolerance,
                                   Comparison* comparison) {
  float largest = 0;
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < count;
       i += (long long)gridDim.x * blockDim.x) {
    const double difference = fabs((double)result[i] - (double)reference[i]);
    const float error = difference == difference ? (float)difference : __int_as_float(0x7f800000);
    if (!(difference <= tolerance)) atomicMin(&comparison->first_bad, (unsigned long long)i);
    largest = fmaxf(largest, error);
  }
  if (largest > 0) atomicMax(&comparison->largest_error, __float_as_uint(largest));
}

extern "C" __global__ void look_at(const ELEMENT* result, const ELEMENT* reference, Comparison* comparison) {
  comparison->got = (double)result[comparison->first_bad];
  comparison->expected = (double)reference[comparison->first_bad];
}

// Evicts everything else from L2 by reading. Not by writing: dirty lines would be written back inside the launch that
// is counted next.
extern "C" __global__ void read_all(const float4* data, long long count, float* never) {
  float sum = 0;
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < count;
       i += (long long)gridDim.x * blockDim.x) {
    const float4 v = data[i];
    sum += v.x + v.y + v.z + v.w;
  }
  if (sum == 1.2345f) *never = sum;  // keeps the loads
}
