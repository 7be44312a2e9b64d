// A program for `rooftile-cli profile` that repeats its kernels: the driver and NVRTC alone, loaded at run
// time. Prints checksums that counting must not change, and what each kernel is known to do.
//   repeated_kernels [STEPS] [SHAPES] [RESERVED_GB] [THREADS] [MODULES]
// SHAPES: further shapes of one kernel. RESERVED_GB: memory that is allocated and left alone, as JAX does.
// MODULES: how often each thread then loads the code, launches kernels of it and unloads it.
#include <cuda.h>
#include <dlfcn.h>
#include <nvrtc.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace {

const char* const source = R"(
extern "C" __global__ void multiply(const float* a, const float* b, float* c, int n) {
  __shared__ float x[16][16], y[16][16];
  int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int step = 0; step < n / 16; ++step) {
    x[threadIdx.y][threadIdx.x] = a[row * n + step * 16 + threadIdx.x];
    y[threadIdx.y][threadIdx.x] = b[(step * 16 + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum = fmaf(x[threadIdx.y][k], y[k][threadIdx.x], sum);
    __syncthreads();
  }
  c[row * n + column] = sum;
}
// Each launch adds one: a launch too many shows in the result.
extern "C" __global__ void increment(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] += 1.0f;
}
extern "C" __global__ void copy(const float4* from, float4* to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}
extern "C" __global__ void once(double* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = fma(v[i], 1.5, 2.0);
}
// 64 mma.sync m16n8k16 a warp: 64 x 4096 operations.
extern "C" __global__ void tensor(float* out) {
  float d0 = 0, d1 = 0, d2 = 0, d3 = 0;
  unsigned one = 0x3f803f80;
  for (int i = 0; i < 64; ++i) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3},{%4,%4,%4,%4},{%4,%4},{%0,%1,%2,%3};"
                 : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3) : "r"(one));
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = d0 + d1 + d2 + d3;
}
)";

[[noreturn]] void leave(const std::string& what) {
  std::fprintf(stderr, "repeated_kernels: %s\n", what.c_str());
  std::exit(1);
}

template <class Function>
Function* load(void* library, const char* name) {
  void* found = library != nullptr ? dlsym(library, name) : nullptr;
  return found != nullptr ? reinterpret_cast<Function*>(found) : (leave(std::string("no ") + name), nullptr);
}

void* cuda = dlopen("libcuda.so.1", RTLD_NOW);
#define CUDA(name, ...)                                                             \
  do {                                                                              \
    static auto* call_##name = load<decltype(::name)>(cuda, CUDA_NAME(name));       \
    if (const CUresult failed = call_##name(__VA_ARGS__); failed != CUDA_SUCCESS) { \
      leave(std::string(#name " failed with ") + std::to_string(failed));           \
    }                                                                               \
  } while (false)
#define CUDA_NAME(name) CUDA_TEXT(name)
#define CUDA_TEXT(name) #name

std::string compiled() {
  void* nvrtc = nullptr;
  for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"}) {
    nvrtc = nvrtc != nullptr ? nvrtc : dlopen(name, RTLD_NOW);
  }
  int major = 0, minor = 0;
  CUDA(cuDeviceGetAttribute, &major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0);
  CUDA(cuDeviceGetAttribute, &minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0);
  const std::string arch = "-arch=sm_" + std::to_string(10 * major + minor);
  const char* options[] = {arch.c_str()};
  nvrtcProgram program = nullptr;
  load<decltype(nvrtcCreateProgram)>(nvrtc, "nvrtcCreateProgram")(&program, source, "k.cu", 0, nullptr,
                                                                  nullptr);
  if (load<decltype(nvrtcCompileProgram)>(nvrtc, "nvrtcCompileProgram")(program, 1, options) != NVRTC_SUCCESS) {
    leave("the kernels do not compile");
  }
  std::size_t size = 0;
  load<decltype(nvrtcGetCUBINSize)>(nvrtc, "nvrtcGetCUBINSize")(program, &size);
  std::string cubin(size, '\0');
  load<decltype(nvrtcGetCUBIN)>(nvrtc, "nvrtcGetCUBIN")(program, cubin.data());
  return cubin;
}

CUdeviceptr filled(std::size_t bytes) {
  CUdeviceptr memory = 0;
  CUDA(cuMemAlloc, &memory, bytes);
  CUDA(cuMemsetD8, memory, 0, bytes);
  return memory;
}

struct Kernels {
  CUmodule module = nullptr;
  CUfunction multiply{}, increment{}, copy{}, once{}, tensor{};
  void get(CUfunction& function, const char* name) { CUDA(cuModuleGetFunction, &function, module, name); }
};

void launch(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned block_x, unsigned block_y,
            std::vector<void*> arguments, CUstream stream = nullptr) {
  CUDA(cuLaunchKernel, function, grid_x, grid_y, 1, block_x, block_y, 1, 0, stream, arguments.data(), nullptr);
}

}  // namespace

int main(int argc, char** argv) {
  const auto argument = [&](int i, int otherwise) { return argc > i ? std::atoi(argv[i]) : otherwise; };
  const int steps = argument(1, 20), shapes = argument(2, 0), reserved = argument(3, 0),
            threads = argument(4, 1), modules = argument(5, 0);
  CUcontext context = nullptr;
  CUDA(cuInit, 0);
  CUDA(cuDevicePrimaryCtxRetain, &context, 0);
  CUDA(cuCtxSetCurrent, context);
  const std::string cubin = compiled();
  Kernels k;
  CUDA(cuModuleLoadData, &k.module, cubin.data());
  k.get(k.multiply, "multiply");
  k.get(k.increment, "increment");
  k.get(k.copy, "copy");
  k.get(k.once, "once");
  k.get(k.tensor, "tensor");
  if (reserved > 0) {
    CUdeviceptr memory = 0;
    CUDA(cuMemAlloc, &memory, std::size_t(reserved) << 30);
  }
  int n = 1024, few = 1 << 20, many = 1 << 24;  // many float4: 256 MB each way
  CUdeviceptr a = filled(4ul * n * n), b = filled(4ul * n * n), c = filled(4ul * n * n), v = filled(4ul * few),
              from = filled(16ul * many), to = filled(16ul * many), d = filled(8ul * few),
              t = filled(4ul * 264 * 256);
  CUstream other = nullptr;
  CUDA(cuStreamCreate, &other, CU_STREAM_NON_BLOCKING);
  const auto begun = std::chrono::steady_clock::now();
  launch(k.once, few / 256, 1, 256, 1, {&d, &few});
  const auto work = [&] {
    CUDA(cuCtxSetCurrent, context);
    for (int step = 0; step < steps; ++step) {
      launch(k.multiply, n / 16, n / 16, 16, 16, {&a, &b, &c, &n});
      launch(k.copy, many / 256, 1, 256, 1, {&from, &to, &many}, other);
      launch(k.increment, few / 256, 1, 256, 1, {&v, &few});
      launch(k.tensor, 264, 1, 256, 1, {&t});
      for (int shape = 0; shape < shapes; ++shape) {
        launch(k.increment, shape + 1, 1, 128, 1, {&v, &few});
      }
    }
    CUDA(cuCtxSynchronize);
    for (int i = 0; i < modules; ++i) {
      Kernels own;
      CUDA(cuModuleLoadData, &own.module, cubin.data());
      own.get(own.multiply, "multiply");
      own.get(own.increment, "increment");
      for (int step = 0; step < 3; ++step) {
        launch(own.multiply, n / 16, n / 16, 16, 16, {&a, &b, &c, &n});
        launch(own.increment, few / 256, 1, 64, 1, {&v, &few});
      }
      CUDA(cuCtxSynchronize);
      CUDA(cuModuleUnload, own.module);
    }
  };
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i) {
    others.emplace_back(work);
  }
  work();
  for (std::thread& each : others) {
    each.join();
  }
  std::vector<float> result(few);
  std::vector<double> twice(few);
  CUDA(cuMemcpyDtoH, result.data(), v, 4ul * few);
  CUDA(cuMemcpyDtoH, twice.data(), d, 8ul * few);
  double sum = 0, sum_of_doubles = 0;
  for (int i = 0; i < few; ++i) {
    sum += result[i];
    sum_of_doubles += twice[i];
  }
  std::printf("sums %.1f %.1f\n", sum, sum_of_doubles);
  std::fprintf(stderr, "loop %.3f s\n",
               std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count());
  return 3;  // which rooftile-cli must hand on
}
