#include "kernels/worker/compile/stand_ins/stand_ins.hpp"

namespace rooftile::worker {

const char* const standard_names_file = "rooftile_standard_names.h";
const char* const standard_names = R"(
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef long long intptr_t;
typedef unsigned long long uintptr_t;
typedef long long ssize_t;
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

#define __extension__
#define __asm__ asm
#define __asm asm
#define __volatile__ volatile

#ifndef __linux__
#define __linux__ 1
#define __linux 1
#endif

#define INT8_MIN (-128)
#define INT8_MAX 127
#define UINT8_MAX 255
#define INT16_MIN (-32768)
#define INT16_MAX 32767
#define UINT16_MAX 65535
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295U
#define INT64_MIN (-9223372036854775807LL - 1)
#define INT64_MAX 9223372036854775807LL
#define UINT64_MAX 18446744073709551615ULL
#define SIZE_MAX 18446744073709551615UL
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN SCHAR_MIN
#define CHAR_MAX SCHAR_MAX
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-2147483647 - 1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295U
#define LONG_MIN (-9223372036854775807L - 1)
#define LONG_MAX 9223372036854775807L
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MIN (-9223372036854775807LL - 1)
#define LLONG_MAX 9223372036854775807LL
#define ULLONG_MAX 18446744073709551615ULL

#define FLT_MAX 3.402823466e+38F
#define FLT_MIN 1.175494351e-38F
#define FLT_EPSILON 1.192092896e-07F
#define FLT_DIG 6
#define FLT_MANT_DIG 24
#define DBL_MAX 1.7976931348623158e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
#define DBL_DIG 15
#define DBL_MANT_DIG 53
#define HUGE_VAL ((double)INFINITY)
#define HUGE_VALF INFINITY
#define INFINITY __builtin_bit_cast(float, 0x7f800000)
#define NAN __builtin_bit_cast(float, 0x7fffffff)

#define CLOCKS_PER_SEC 1000000

#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440

__device__ inline void cudaGridDependencySynchronize() { asm volatile("griddepcontrol.wait;" ::: "memory"); }
__device__ inline void cudaTriggerProgrammaticLaunchCompletion() {
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

namespace at {}  // which "using namespace at;" names
namespace c10 {}
namespace torch {}

namespace std {
using ::size_t;
using ::ptrdiff_t;
using ::int8_t;
using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::uint8_t;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::intptr_t;
using ::uintptr_t;
using nullptr_t = decltype(nullptr);

template <class _T, _T _V> struct integral_constant {
  enum : _T { value = _V };  // a variable would be one of the cubin
  using value_type = _T;
  using type = integral_constant;
  __device__ constexpr operator _T() const { return _V; }
};
template <bool _B> using bool_constant = integral_constant<bool, _B>;
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;

template <bool, class _T = void> struct enable_if {};
template <class _T> struct enable_if<true, _T> { using type = _T; };
template <bool _B, class _T = void> using enable_if_t = typename enable_if<_B, _T>::type;
template <bool, class _T, class> struct conditional { using type = _T; };
template <class _T, class _F> struct conditional<false, _T, _F> { using type = _F; };
template <bool _B, class _T, class _F> using conditional_t = typename conditional<_B, _T, _F>::type;
template <class...> using void_t = void;

template <class _T> struct alignment_of : integral_constant<size_t, alignof(_T)> {};
template <class _T> struct add_const { using type = const _T; };
template <class _T> using add_const_t = const _T;
template <class _T> struct remove_const { using type = _T; };
template <class _T> struct remove_const<const _T> { using type = _T; };
template <class _T> struct remove_volatile { using type = _T; };
template <class _T> struct remove_volatile<volatile _T> { using type = _T; };
template <class _T> struct remove_cv { using type = typename remove_volatile<typename remove_const<_T>::type>::type; };
template <class _T> struct remove_reference { using type = _T; };
template <class _T> struct remove_reference<_T&> { using type = _T; };
template <class _T> struct remove_reference<_T&&> { using type = _T; };
template <class _T> struct remove_pointer { using type = _T; };
template <class _T> struct remove_pointer<_T*> { using type = _T; };
template <class _T> struct remove_pointer<_T* const> { using type = _T; };
template <class _T> using remove_const_t = typename remove_const<_T>::type;
template <class _T> using remove_cv_t = typename remove_cv<_T>::type;
template <class _T> using remove_reference_t = typename remove_reference<_T>::type;
template <class _T> using remove_pointer_t = typename remove_pointer<_T>::type;
template <class _T> using decay_t = remove_cv_t<remove_reference_t<_T>>;

template <class _T> struct numeric_limits { enum : bool { is_specialized = false, is_integer = false, is_signed = false }; };
template <class, class> struct is_same : false_type {};
template <class _T> struct is_same<_T, _T> : true_type {};
template <class _T> struct is_floating_point
    : bool_constant<is_same<remove_cv_t<_T>, float>::value || is_same<remove_cv_t<_T>, double>::value> {};
template <class _T> struct is_integral : bool_constant<numeric_limits<remove_cv_t<_T>>::is_integer> {};
template <class _T> struct is_arithmetic : bool_constant<is_integral<_T>::value || is_floating_point<_T>::value> {};
template <class _T> struct is_signed : bool_constant<numeric_limits<remove_cv_t<_T>>::is_signed> {};
template <class _T> struct is_unsigned : bool_constant<is_integral<_T>::value && !is_signed<_T>::value> {};
template <class _T> struct is_const : false_type {};
template <class _T> struct is_const<const _T> : true_type {};
template <class _T> struct is_void : is_same<remove_cv_t<_T>, void> {};
template <class _T> struct make_unsigned { using type = _T; };
template <> struct make_unsigned<char> { using type = unsigned char; };
template <> struct make_unsigned<signed char> { using type = unsigned char; };
template <> struct make_unsigned<short> { using type = unsigned short; };
template <> struct make_unsigned<int> { using type = unsigned int; };
template <> struct make_unsigned<long> { using type = unsigned long; };
template <> struct make_unsigned<long long> { using type = unsigned long long; };
template <class _T> using make_unsigned_t = typename make_unsigned<_T>::type;
template <class _T> __device__ _T&& declval();
template <class _T> struct is_pointer : false_type {};
template <class _T> struct is_pointer<_T*> : true_type {};
template <class _T> struct is_enum : bool_constant<__is_enum(_T)> {};
template <class _T> struct is_class : bool_constant<__is_class(_T)> {};
template <class _B, class _D> struct is_base_of : bool_constant<__is_base_of(_B, _D)> {};
template <class _T> struct is_trivially_copyable : bool_constant<__is_trivially_copyable(_T)> {};
template <class _T, class _U> inline constexpr bool is_same_v = is_same<_T, _U>::value;
template <class _B, class _D> inline constexpr bool is_base_of_v = is_base_of<_B, _D>::value;
#define ROOFTILE_TRAIT(NAME) template <class _T> inline constexpr bool NAME##_v = NAME<_T>::value;
ROOFTILE_TRAIT(is_const)
ROOFTILE_TRAIT(is_void)
ROOFTILE_TRAIT(is_signed)
ROOFTILE_TRAIT(is_unsigned)
ROOFTILE_TRAIT(is_floating_point)
ROOFTILE_TRAIT(is_integral)
ROOFTILE_TRAIT(is_arithmetic)
ROOFTILE_TRAIT(is_pointer)
ROOFTILE_TRAIT(is_enum)
ROOFTILE_TRAIT(is_class)
ROOFTILE_TRAIT(is_trivially_copyable)
#undef ROOFTILE_TRAIT

#define ROOFTILE_LIMITS(_T, LOWEST, LEAST, MOST, EPSILON)                                 \
  template <> struct numeric_limits<_T> {                                                 \
    enum : bool { is_specialized = true, is_signed = (_T)-1 < (_T)0, is_integer = (_T)1 / (_T)2 == (_T)0 };                              \
    __device__ static constexpr _T lowest() { return LOWEST; }                            \
    __device__ static constexpr _T min() { return LEAST; }                                \
    __device__ static constexpr _T max() { return MOST; }                                 \
    __device__ static constexpr _T epsilon() { return EPSILON; }                          \
    __device__ static constexpr _T infinity() { return is_integer ? (_T)0 : (_T)INFINITY; } \
    __device__ static constexpr _T quiet_NaN() { return is_integer ? (_T)0 : (_T)NAN; }     \
  }
ROOFTILE_LIMITS(char, CHAR_MIN, CHAR_MIN, CHAR_MAX, 0);
ROOFTILE_LIMITS(signed char, SCHAR_MIN, SCHAR_MIN, SCHAR_MAX, 0);
ROOFTILE_LIMITS(unsigned char, 0, 0, UCHAR_MAX, 0);
ROOFTILE_LIMITS(short, SHRT_MIN, SHRT_MIN, SHRT_MAX, 0);
ROOFTILE_LIMITS(unsigned short, 0, 0, USHRT_MAX, 0);
ROOFTILE_LIMITS(int, INT_MIN, INT_MIN, INT_MAX, 0);
ROOFTILE_LIMITS(unsigned int, 0, 0, UINT_MAX, 0);
ROOFTILE_LIMITS(long, LONG_MIN, LONG_MIN, LONG_MAX, 0);
ROOFTILE_LIMITS(unsigned long, 0, 0, ULONG_MAX, 0);
ROOFTILE_LIMITS(long long, LLONG_MIN, LLONG_MIN, LLONG_MAX, 0);
ROOFTILE_LIMITS(unsigned long long, 0, 0, ULLONG_MAX, 0);
ROOFTILE_LIMITS(float, -FLT_MAX, FLT_MIN, FLT_MAX, FLT_EPSILON);
ROOFTILE_LIMITS(double, -DBL_MAX, DBL_MIN, DBL_MAX, DBL_EPSILON);
#undef ROOFTILE_LIMITS

template <class _T> __device__ constexpr const _T& min(const _T& _a, const _T& _b) { return _b < _a ? _b : _a; }
template <class _T> __device__ constexpr const _T& max(const _T& _a, const _T& _b) { return _a < _b ? _b : _a; }
template <class _T, class _F> __device__ constexpr _T bit_cast(const _F& _from) { return __builtin_bit_cast(_T, _from); }
template <class _T, size_t _N> struct array {
  using value_type = _T;
  _T _elements[_N > 0 ? _N : 1];
  __device__ constexpr _T& operator[](size_t _i) { return _elements[_i]; }
  __device__ constexpr const _T& operator[](size_t _i) const { return _elements[_i]; }
  __device__ constexpr _T* data() { return _elements; }
  __device__ constexpr const _T* data() const { return _elements; }
  __device__ constexpr _T* begin() { return _elements; }
  __device__ constexpr const _T* begin() const { return _elements; }
  __device__ constexpr _T* end() { return _elements + _N; }
  __device__ constexpr const _T* end() const { return _elements + _N; }
  __device__ constexpr _T& front() { return _elements[0]; }
  __device__ constexpr const _T& front() const { return _elements[0]; }
  __device__ constexpr _T& back() { return _elements[_N - 1]; }
  __device__ constexpr const _T& back() const { return _elements[_N - 1]; }
  __device__ constexpr void fill(const _T& _value) {
    for (size_t _i = 0; _i < _N; ++_i) _elements[_i] = _value;
  }
  __device__ static constexpr size_t size() { return _N; }
  __device__ static constexpr bool empty() { return _N == 0; }
};
template <class _T, class... _U> array(_T, _U...) -> array<_T, 1 + sizeof...(_U)>;

template <class _A, class _B> struct pair {
  using first_type = _A;
  using second_type = _B;
  _A first;
  _B second;
};
template <class _A, class _B> pair(_A, _B) -> pair<_A, _B>;
template <class _A, class _B> __device__ constexpr pair<_A, _B> make_pair(_A _a, _B _b) { return {_a, _b}; }

template <class _T> __device__ constexpr void swap(_T& _a, _T& _b) {
  _T _old = _a;
  _a = _b;
  _b = _old;
}

using ::abs;
using ::acos;
using ::acosh;
using ::asin;
using ::asinh;
using ::atan;
using ::atan2;
using ::atanh;
using ::cbrt;
using ::ceil;
using ::copysign;
using ::cos;
using ::cosh;
using ::erf;
using ::erfc;
using ::exp;
using ::exp2;
using ::expm1;
using ::fabs;
using ::floor;
using ::fma;
using ::fmax;
using ::fmin;
using ::fmod;
using ::hypot;
using ::isfinite;
using ::isinf;
using ::isnan;
using ::ldexp;
using ::lgamma;
using ::log;
using ::log10;
using ::log1p;
using ::log2;
using ::memcpy;
using ::memset;
using ::nearbyint;
using ::pow;
using ::printf;
using ::rint;
using ::round;
using ::signbit;
using ::sin;
using ::sinh;
using ::sqrt;
using ::tan;
using ::tanh;
using ::tgamma;
using ::trunc;
}
)";

}  // namespace rooftile::worker
