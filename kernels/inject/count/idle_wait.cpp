#include "kernels/inject/count/idle_wait.hpp"

#include <chrono>
#include <thread>

namespace rooftile::inject {
namespace {

using namespace std::chrono_literals;

bool passes_within(const worker::Driver& driver, CUevent event, std::chrono::steady_clock::duration limit) {
  const auto begun = std::chrono::steady_clock::now();
  CUresult result = driver.cuEventQuery(event);
  while (result == CUDA_ERROR_NOT_READY) {
    const auto waited = std::chrono::steady_clock::now() - begun;
    if (waited > limit) {
      return false;
    }
    std::this_thread::sleep_for(waited < 1ms ? 0us : 50us);
    result = driver.cuEventQuery(event);
  }
  return result == CUDA_SUCCESS;
}

}  // namespace

bool wait_until_idle(const worker::Driver& driver) {
  if (driver.cuCtxRecordEvent == nullptr) {
    return driver.cuCtxSynchronize() == CUDA_SUCCESS;
  }
  CUcontext context = nullptr;
  CUevent event = nullptr;
  if (driver.cuCtxGetCurrent(&context) != CUDA_SUCCESS ||
      driver.cuEventCreate(&event, CU_EVENT_DISABLE_TIMING) != CUDA_SUCCESS) {
    return false;
  }
  const bool idle = driver.cuCtxRecordEvent(context, event) == CUDA_SUCCESS && passes_within(driver, event, 2s);
  driver.cuEventDestroy(event);
  return idle;
}

}  // namespace rooftile::inject
