#include "kernels/worker/cuda/fault.hpp"

namespace rooftile::worker {

std::string_view what_a_launch_did(CUresult error) {
  switch (error) {
    case CUDA_ERROR_ILLEGAL_ADDRESS:
      return "read or wrote memory outside its buffers, or overflowed its stack";
    case CUDA_ERROR_MISALIGNED_ADDRESS:
      return "read or wrote a vector at an address that is no multiple of the vector's size";
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
      return "used an address of another memory space, such as a shared one for a global access";
    case CUDA_ERROR_ASSERT:
      return "failed an assert()";
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
      return "executed an instruction that is illegal here";
    case CUDA_ERROR_INVALID_PC:
      return "jumped to a place without code";
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
      return "overflowed its stack";
    case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
      return "needs more registers or stack than the GPU has for blocks of this size";
    case CUDA_ERROR_LAUNCH_TIMEOUT:
      return "ran longer than the display's watchdog allows on this GPU";
    case CUDA_ERROR_LAUNCH_FAILED:
      return "was ended by a trap, such as __trap(), or by an access for which the driver has no word of its "
             "own";
    default:
      return "";
  }
}

}  // namespace rooftile::worker
