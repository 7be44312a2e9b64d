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

bool is_idle_within(const worker::Driver& driver, std::chrono::steady_clock::duration limit) {
  CUcontext context = nullptr;
  CUevent event = nullptr;
  if (driver.cuCtxGetCurrent(&context) != CUDA_SUCCESS ||
      driver.cuEventCreate(&event, CU_EVENT_DISABLE_TIMING) != CUDA_SUCCESS) {
    return false;
  }
  const bool idle =
      driver.cuCtxRecordEvent(context, event) == CUDA_SUCCESS && passes_within(driver, event, limit);
  driver.cuEventDestroy(event);
  return idle;
}

}  // namespace

bool wait_until_idle(const worker::Driver& driver) {
  return driver.cuCtxRecordEvent == nullptr ? driver.cuCtxSynchronize() == CUDA_SUCCESS
                                            : is_idle_within(driver, 2s);
}

bool is_idle(const worker::Driver& driver) {
  return driver.cuCtxRecordEvent == nullptr || is_idle_within(driver, 0s);
}

}  // namespace rooftile::inject
