#include "kernels/worker/compile/stand_ins/stand_ins.hpp"

namespace rooftile::worker {

const char* const torch_names = R"(
#ifndef ROOFTILE_TORCH_NAMES
#define ROOFTILE_TORCH_NAMES

#define C10_HOST_DEVICE __host__ __device__
#define C10_DEVICE __device__
#define C10_HOST __host__
#define C10_ALWAYS_INLINE __forceinline__
#define C10_LIKELY(_X) (_X)
#define C10_UNLIKELY(_X) (_X)
#define C10_WARP_SIZE 32
#define C10_LAUNCH_BOUNDS_0 __launch_bounds__(256, 4)
#define C10_LAUNCH_BOUNDS_1(_X) __launch_bounds__(_X)
#define C10_LAUNCH_BOUNDS_2(_X, _Y) __launch_bounds__(_X, _Y)
#define CUDA_KERNEL_ASSERT(_X)
#define TORCH_CHECK(...)
#define TORCH_INTERNAL_ASSERT(...)
#define AT_ASSERT(...)
#ifndef CUDA_KERNEL_LOOP_TYPE
#define CUDA_KERNEL_LOOP_TYPE(_I, _COUNT, _INDEX)                                                  \
  for (_INDEX _I = (_INDEX)blockIdx.x * blockDim.x + threadIdx.x; _I < (_COUNT); _I += (_INDEX)blockDim.x * gridDim.x)
#define CUDA_KERNEL_LOOP(_I, _COUNT) CUDA_KERNEL_LOOP_TYPE(_I, _COUNT, int)
#endif

#if __has_include(<cuda_bf16.h>)
namespace c10 {
using Half = __half;
using BFloat16 = __nv_bfloat16;
}
namespace at {
using Half = __half;
using BFloat16 = __nv_bfloat16;
template <class _T> struct rooftile_wide { using type = _T; };
template <> struct rooftile_wide<__half> { using type = float; };
template <> struct rooftile_wide<__nv_bfloat16> { using type = float; };
}
#else
namespace at {
template <class _T> struct rooftile_wide { using type = _T; };
}
#endif

namespace at {
template <class _T, bool> using acc_type = typename rooftile_wide<_T>::type;
template <class _T> using opmath_type = typename rooftile_wide<_T>::type;

template <class _T> struct DefaultPtrTraits { typedef _T* PtrType; };
template <class _T> struct RestrictPtrTraits { typedef _T* __restrict__ PtrType; };

template <class _T, size_t _N, template <class> class _P = DefaultPtrTraits, class _I = int64_t>
class TensorAccessor {
 public:
  using PtrType = typename _P<_T>::PtrType;
  __device__ TensorAccessor(PtrType _data, const _I* _sizes, const _I* _strides)
      : data_(_data), sizes_(_sizes), strides_(_strides) {}
  __device__ TensorAccessor<_T, _N - 1, _P, _I> operator[](_I _at) const {
    return TensorAccessor<_T, _N - 1, _P, _I>(data_ + strides_[0] * _at, sizes_ + 1, strides_ + 1);
  }
  __device__ _I size(_I _at) const { return sizes_[_at]; }
  __device__ _I stride(_I _at) const { return strides_[_at]; }
  __device__ PtrType data() const { return data_; }

 private:
  PtrType data_;
  const _I *sizes_, *strides_;
};
template <class _T, template <class> class _P, class _I>
class TensorAccessor<_T, 1, _P, _I> {
 public:
  using PtrType = typename _P<_T>::PtrType;
  __device__ TensorAccessor(PtrType _data, const _I* _sizes, const _I* _strides)
      : data_(_data), sizes_(_sizes), strides_(_strides) {}
  __device__ _T& operator[](_I _at) const { return data_[strides_[0] * _at]; }
  __device__ _I size(_I _at) const { return sizes_[_at]; }
  __device__ _I stride(_I _at) const { return strides_[_at]; }
  __device__ PtrType data() const { return data_; }

 private:
  PtrType data_;
  const _I *sizes_, *strides_;
};

template <class _T, size_t _N, template <class> class _P = DefaultPtrTraits, class _I = int64_t>
class GenericPackedTensorAccessor {
 public:
  using PtrType = typename _P<_T>::PtrType;
  __device__ decltype(auto) operator[](_I _at) const {
    return TensorAccessor<_T, _N, _P, _I>(data_, sizes_, strides_)[_at];
  }
  __device__ _I size(_I _at) const { return sizes_[_at]; }
  __device__ _I stride(_I _at) const { return strides_[_at]; }
  __device__ PtrType data() const { return data_; }

  PtrType data_;
  _I sizes_[_N], strides_[_N];
};
template <class _T, size_t _N, template <class> class _P = DefaultPtrTraits>
using PackedTensorAccessor32 = GenericPackedTensorAccessor<_T, _N, _P, int32_t>;
template <class _T, size_t _N, template <class> class _P = DefaultPtrTraits>
using PackedTensorAccessor64 = GenericPackedTensorAccessor<_T, _N, _P, int64_t>;
template <class _T, size_t _N, template <class> class _P = DefaultPtrTraits, class _I = int64_t>
using PackedTensorAccessor = GenericPackedTensorAccessor<_T, _N, _P, _I>;
}

namespace torch {
using namespace at;
}

template <class _T> __device__ inline _T gpuAtomicAdd(_T* _to, _T _by) { return atomicAdd(_to, _by); }
template <class _T> __device__ inline void gpuAtomicAddNoReturn(_T* _to, _T _by) { atomicAdd(_to, _by); }
template <class _T> __device__ inline _T WARP_SHFL(_T _value, int _lane, int _width = 32, unsigned _mask = 0xffffffffu) {
  return __shfl_sync(_mask, _value, _lane, _width);
}
template <class _T> __device__ inline _T WARP_SHFL_DOWN(_T _value, unsigned _by, int _width = 32, unsigned _mask = 0xffffffffu) {
  return __shfl_down_sync(_mask, _value, _by, _width);
}
template <class _T> __device__ inline _T WARP_SHFL_XOR(_T _value, int _lanes, int _width = 32, unsigned _mask = 0xffffffffu) {
  return __shfl_xor_sync(_mask, _value, _lanes, _width);
}
__device__ inline unsigned WARP_BALLOT(int _value, unsigned _mask = 0xffffffffu) { return __ballot_sync(_mask, _value); }
#endif
)";

}  // namespace rooftile::worker
