// A program for `rooftile-cli profile`: one kernel in several places, with a checksum for each that counting must not change.
//   contexts green [LAUNCHES]     in two green contexts at once, each with some of the GPU's SMs
//   contexts devices [LAUNCHES]   on every device, and on all of them by one CUDA graph
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

void check(bool right, const char* call, const char* why) {
  if (!right) {
    std::fprintf(stderr, "%s: %s\n", call, why);
    std::exit(1);
  }
}

#define RUNTIME(call) check((call) == cudaSuccess, #call, cudaGetErrorString(cudaGetLastError()))
#define DRIVER(call) check((call) == CUDA_SUCCESS, #call, "failed")

constexpr int count = 1 << 22;

__global__ void grow(float* values, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = values[i];
  for (int step = 0; step < steps; ++step) {
    value = value * 0.999f + 1;
  }
  values[i] = value;
}

void launch(cudaStream_t stream, float* values) { grow<<<count / 256, 256, 0, stream>>>(values, 64); }

float* zeros() {
  float* values = nullptr;
  RUNTIME(cudaMalloc(&values, count * sizeof(float)));
  RUNTIME(cudaMemset(values, 0, count * sizeof(float)));
  return values;
}

void print(const std::string& name, const float* values) {
  std::vector<float> host(count);
  RUNTIME(cudaMemcpy(host.data(), values, count * sizeof(float), cudaMemcpyDeviceToHost));
  double sum = 0;
  for (const float value : host) {
    sum += value;
  }
  std::printf("%s %.3f\n", name.c_str(), sum);
}

cudaStream_t stream_of(CUdevResource& sms) {
  CUdevResourceDesc description;
  CUgreenCtx context;
  CUstream stream;
  DRIVER(cuDevResourceGenerateDesc(&description, &sms, 1));
  DRIVER(cuGreenCtxCreate(&context, description, 0, CU_GREEN_CTX_DEFAULT_STREAM));
  DRIVER(cuGreenCtxStreamCreate(&stream, context, CU_STREAM_NON_BLOCKING, 0));
  return stream;
}

void in_green_contexts(int launches) {
  RUNTIME(cudaFree(nullptr));
  CUdevResource all, some, rest;
  unsigned groups = 1;
  DRIVER(cuDeviceGetDevResource(0, &all, CU_DEV_RESOURCE_TYPE_SM));
  DRIVER(cuDevSmResourceSplitByCount(&some, &groups, &all, &rest, 0, all.sm.smCount / 4));
  cudaStream_t streams[] = {stream_of(some), stream_of(rest)};
  float* values[] = {zeros(), zeros()};
  RUNTIME(cudaDeviceSynchronize());
  for (int i = 0; i < launches; ++i) {
    launch(streams[i % 2], values[i % 2]);
  }
  RUNTIME(cudaDeviceSynchronize());
  print("green context of " + std::to_string(some.sm.smCount) + " SMs", values[0]);
  print("green context of " + std::to_string(rest.sm.smCount) + " SMs", values[1]);
}

struct Place {
  cudaStream_t stream = nullptr;
  float* values = nullptr;
};

Place on(int device) {
  Place place;
  RUNTIME(cudaSetDevice(device));
  RUNTIME(cudaStreamCreate(&place.stream));
  place.values = zeros();
  RUNTIME(cudaDeviceSynchronize());
  return place;
}

// A node for each device, one after the other.
cudaGraphExec_t through(const std::vector<Place>& places) {
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaGraphNode_t node = nullptr;
  RUNTIME(cudaGraphCreate(&graph, 0));
  for (size_t device = 0; device < places.size(); ++device) {
    RUNTIME(cudaSetDevice(int(device)));
    float* values = places[device].values;
    int steps = 64;
    void* arguments[] = {&values, &steps};
    cudaKernelNodeParams parameters = {};
    parameters.func = reinterpret_cast<void*>(grow);
    parameters.gridDim = count / 256;
    parameters.blockDim = 256;
    parameters.kernelParams = arguments;
    const cudaGraphNode_t before = node;
    RUNTIME(cudaGraphAddKernelNode(&node, graph, &before, device > 0, &parameters));
  }
  RUNTIME(cudaSetDevice(0));
  RUNTIME(cudaGraphInstantiate(&executable, graph, 0));
  return executable;
}

void on_devices(int launches) {
  int devices = 0;
  RUNTIME(cudaGetDeviceCount(&devices));
  std::vector<Place> places;
  for (int device = 0; device < devices; ++device) {
    places.push_back(on(device));
  }
  const cudaGraphExec_t graph = through(places);
  for (int i = 0; i < launches; ++i) {
    for (int device = 0; device < devices; ++device) {
      RUNTIME(cudaSetDevice(device));
      launch(places[device].stream, places[device].values);
      RUNTIME(cudaStreamSynchronize(places[device].stream));
    }
    RUNTIME(cudaSetDevice(0));
    RUNTIME(cudaGraphLaunch(graph, places[0].stream));
    RUNTIME(cudaStreamSynchronize(places[0].stream));
  }
  for (int device = 0; device < devices; ++device) {
    RUNTIME(cudaSetDevice(device));
    print("device " + std::to_string(device), places[device].values);
  }
}

int main(int argc, char** argv) {
  const bool green = argc > 1 && !std::strcmp(argv[1], "green");
  const int launches = argc > 2 ? std::atoi(argv[2]) : 40;
  green ? in_green_contexts(launches) : on_devices(launches);
}
