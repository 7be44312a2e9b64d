#include "kernels/worker/count/counters_refused.hpp"

namespace rooftile::worker {

Facility counters_refused(CUptiResult code, const std::string& detail) {
  using State = Facility::State;
  const auto facility = [&](State state, const char* sentence, const char* fix) {
    return Facility{"counters", state, sentence, fix, detail};
  };
  switch (code) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
      return facility(
          State::refused, "Counters are not permitted for this user.",
          "An administrator can put 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' into a file in "
          "/etc/modprobe.d and restart, or start rooftile as root; in a container add CAP_SYS_ADMIN.");
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
      return facility(State::refused, "This virtual GPU does not let its guests count.",
                      "Ask the host's administrator to enable profiling for the vGPU.");
    case CUPTI_ERROR_HARDWARE_BUSY:
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
      return facility(State::busy, "Another profiler holds the counters of this GPU.",
                      "Close Nsight Compute, Nsight Systems or another rooftile; a DCGM service pauses with "
                      "'dcgmi profile --pause'. A later launch tries again.");
    case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
      return facility(State::refused, "Counters are not available on this MIG partition.",
                      "Use the whole GPU, or a partition whose profiling the driver supports.");
    case CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED:
      return facility(State::refused, "This WSL driver does not offer counters.",
                      "Update the Windows driver, and allow counters for all users in its control panel.");
    case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
      return facility(State::refused, "Counters are not available under confidential computing.",
                      "Run on a GPU in its ordinary mode.");
    default:
      return facility(State::failed, "Counting failed.",
                      "rooftile goes on without counters; the detail says where.");
  }
}

}  // namespace rooftile::worker
