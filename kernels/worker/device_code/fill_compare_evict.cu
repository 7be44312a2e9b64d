// Fills inputs, compares results with the reference, and evicts everything from the caches.
// ELEMENT is the buffer's element type.

// Well-mixed bits of an index (the finalizer of MurmurHash3, A. Appleby, public domain).
__device__ unsigned mixed(unsigned long long index, unsigned seed) {
  unsigned bits = (unsigned)index ^ (unsigned)(index >> 32) * 0x9e3779b9u ^ seed;
  bits = (bits ^ bits >> 16) * 0x85ebca6bu;
  bits = (bits ^ bits >> 13) * 0xc2b2ae35u;
  return bits ^ bits >> 16;
}

// Types whose CUDA headers are dear to compile: only the parts that filling and comparing need.
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
// A sign, 4 bits of exponent and 3 of digits, without infinities: of all ones is no number, and 448 the largest.
struct fp8_e4m3 {
  unsigned char bits;
  __device__ explicit operator double() const {
    const int exponent = bits >> 3 & 15, digits = bits & 7;
    const double size = exponent == 0 ? digits * 0x1p-9 : ldexp(8.0 + digits, exponent - 10);
    return (bits & 127) == 127 ? __int_as_float(0x7fc00000) : bits & 128 ? -size : size;
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
__device__ void set(fp8_e4m3& value, double number) {  // to the nearest, ties to even
  const double size = fmin(fabs(number), 448.0);
  const int exponent = size < 0x1p-6 ? -6 : ilogb(size);  // numbers below are even steps of 2^-9
  value.bits = (exponent + 6) * 8 + (int)rint(ldexp(size, 3 - exponent)) + (number < 0 ? 128 : 0);
}
template <class Integer>
__device__ void set(Integer& value, double number) {
  value = (Integer)(long long)number;
}

// Floating point: uniform in [-0.5, 0.5), of the low 32 bits. Integers: all bits random.
__device__ float centered(unsigned bits) { return (float)(bits >> 8) * 0x1p-24f - 0.5f; }
__device__ void set_random(float& value, unsigned long long bits) { value = centered((unsigned)bits); }
__device__ void set_random(double& value, unsigned long long bits) { value = (unsigned)bits * 0x1p-32 - 0.5; }
__device__ void set_random(bfloat16& value, unsigned long long bits) { set(value, centered((unsigned)bits)); }
__device__ void set_random(fp8_e4m3& value, unsigned long long bits) { set(value, centered((unsigned)bits)); }
__device__ void set_random(half& value, unsigned long long bits) { set(value, centered((unsigned)bits)); }
template <class Integer>
__device__ void set_random(Integer& value, unsigned long long bits) {
  value = (Integer)bits;
}

__device__ unsigned long long random_bits(unsigned long long index, unsigned seed) {
  return (unsigned long long)mixed(index, ~seed) << 32 | mixed(index, seed);
}

// The i-th of `count` numbers that lie evenly from 0 to below - 1: exactly i where below is count.
__device__ double evenly(long long i, long long count, double below) {
  return below == count ? i : count > 1 ? i * (below - 1) / (count - 1) : 0;
}

// below: elements are from 0 to less than this, or 0 for any. ascending: evenly from first to first + below - 1; else at
// random, of which the share `skew`, drawn at random, equals the first one.
extern "C" __global__ void fill(ELEMENT* data, long long count, double first, double below, int ascending, double skew,
                                unsigned seed) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < count; i += (long long)gridDim.x * blockDim.x) {
    const unsigned long long bits = random_bits(mixed(i, ~seed) * 0x1p-32 < skew ? 0 : i, seed);
    if (ascending)
      set(data[i], first + evenly(i, count, below));
    else if (below > 0)
      set(data[i], (unsigned)bits * 0x1p-32 * below);
    else
      set_random(data[i], bits);
  }
}

constexpr double largest_double = 0x1.fffffffffffffp1023;

// Rounding to the type changes a number by at most this share.
__device__ double rounding(float) { return 0x1p-20; }
__device__ double rounding(double) { return 0x1p-49; }
__device__ double rounding(bfloat16) { return 0x1p-6; }
__device__ double rounding(half) { return 0x1p-9; }
__device__ double rounding(fp8_e4m3) { return 0x1p-2; }
template <class Integer>
__device__ double rounding(Integer) {
  return 0;
}

// 0 between equal infinities and between two NaNs; infinite if only one of them is a NaN.
template <class T>
__device__ double distance(T result, T reference) {
  const double a = (double)result, b = (double)reference;
  if (a == b || (a != a && b != b)) return 0;
  const double apart = fabs(a - b);
  return apart == apart ? apart : __int_as_float(0x7f800000);
}
__device__ double distance(long long result, long long reference) {  // unequal ones may be the same double
  return result > reference ? (unsigned long long)result - reference : (unsigned long long)reference - result;
}

// False if the distance is infinite.
__device__ bool is_within(double distance, double absolute, double relative, double reference) {
  return distance <= fmin(absolute + relative * fabs(reference), largest_double);
}

// Facts about the elements of a buffer: they are not all equal, they are not all zero.
constexpr unsigned not_equal = 1, not_zero = 2;

template <class T>
__device__ unsigned shown_by(T value, T first, double rounding) {
  const bool equal = is_within(distance(value, first), 0, rounding, (double)first);
  return (equal ? 0 : not_equal) | ((double)value == 0 ? 0 : not_zero);
}

struct Comparison {
  unsigned largest;              // bits of a non-negative float, which order like the float itself
  unsigned shown;                // by the result, and 2 bits further by the reference
  unsigned long long first_bad;  // index of the first element beyond the tolerance
  double result, reference;      // one element of each,
  long long whole_result, whole_reference;  // and exactly, of whole numbers
};

extern "C" __global__ void compare(const ELEMENT* result, const ELEMENT* reference, long long count, double absolute,
                                   double relative, Comparison* comparison) {
  const ELEMENT first_result = result[0], first_reference = reference[0];
  float largest = 0;
  unsigned shown = 0;
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < count;
       i += (long long)gridDim.x * blockDim.x) {
    const ELEMENT got = result[i], expected = reference[i];
    const double error = distance(got, expected);
    if (!is_within(error, absolute, relative, (double)expected)) atomicMin(&comparison->first_bad, (unsigned long long)i);
    largest = fmaxf(largest, (float)error);
    shown |= shown_by(got, first_result, 0) | shown_by(expected, first_reference, rounding(expected)) << 2;
  }
  if (largest > 0) atomicMax(&comparison->largest, __float_as_uint(largest));
  if (shown & ~comparison->shown) atomicOr(&comparison->shown, shown);
}

// Counts the elements beyond the tolerance in each cell of a map of the result's rows.
extern "C" __global__ void map_wrong(const ELEMENT* result, const ELEMENT* reference, long long count, double absolute,
                                     double relative, long long row_length, long long across, long long down,
                                     unsigned* in_cell) {
  const long long rows = (count + row_length - 1) / row_length;
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < count;
       i += (long long)gridDim.x * blockDim.x) {
    const ELEMENT got = result[i], expected = reference[i];
    if (is_within(distance(got, expected), absolute, relative, (double)expected)) continue;
    atomicAdd(&in_cell[i / row_length * down / rows * across + i % row_length * across / row_length], 1u);
  }
}

// The largest magnitude of a finite number, at most 1.
extern "C" __global__ void scale(const ELEMENT* data, long long count, Comparison* comparison) {
  float largest = 0;
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < count;
       i += (long long)gridDim.x * blockDim.x) {
    const double magnitude = fabs((double)data[i]);
    if (magnitude <= largest_double) largest = fmaxf(largest, (float)fmin(magnitude, 1.0));
  }
  if (largest > 0) atomicMax(&comparison->largest, __float_as_uint(largest));
}

__device__ long long whole(long long value) { return value; }
template <class T>
__device__ long long whole(T value) {
  return (long long)(double)value;
}

extern "C" __global__ void look_at(const ELEMENT* result, const ELEMENT* reference, unsigned long long i,
                                   Comparison* comparison) {
  comparison->result = (double)result[i];
  comparison->reference = (double)reference[i];
  comparison->whole_result = whole(result[i]);
  comparison->whole_reference = whole(reference[i]);
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
