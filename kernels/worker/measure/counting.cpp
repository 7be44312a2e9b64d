#include "kernels/worker/measure/counting.hpp"

#include <fmt/format.h>

#include <algorithm>

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
          "As administrator put 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' into a file in "
          "/etc/modprobe.d and restart, or start rooftile as root; in a container add CAP_SYS_ADMIN.");
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
      return facility(State::refused, "This virtual GPU does not let its guests count.",
                      "Ask the host's administrator to enable profiling for the vGPU.");
    case CUPTI_ERROR_HARDWARE_BUSY:
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
      return facility(State::busy, "Another profiler holds the counters of this GPU.",
                      "Close Nsight Compute, Nsight Systems or another rooftile; a DCGM service pauses with "
                      "'dcgmi profile --pause'. The next launch tries again.");
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

Counting::Counting(Facility profiler) : profiler_(std::move(profiler)) {
  counters_ = {"counters", Facility::State::missing, "Without CUPTI nothing is counted.", profiler_.fix, ""};
}

Counting::Counting(const Device& device, Cupti cupti) : device_(&device), cupti_(std::move(cupti)) {
  profiler_.detail = cupti_->file + ", version " + cupti_->version;
  profiler_.sentence = "CUPTI is loaded.";
  try {
    auto params = sized<CUpti_Profiler_Initialize_Params>(CUpti_Profiler_Initialize_Params_STRUCT_SIZE);
    cupti_->check(cupti_->cuptiProfilerInitialize(&params), "cuptiProfilerInitialize");
    auto chip = sized<CUpti_Device_GetChipName_Params>(CUpti_Device_GetChipName_Params_STRUCT_SIZE);
    chip.deviceIndex = static_cast<std::size_t>(device.index());
    cupti_->check(cupti_->cuptiDeviceGetChipName(&chip), "cuptiDeviceGetChipName");
    chip_ = chip.pChipName;
    if (const auto known = supported_chips(*cupti_); std::ranges::find(known, chip_) == known.end()) {
      counters_ = {"counters", Facility::State::missing,
                   fmt::format("This CUPTI does not know the chip {}.", chip_),
                   "Install a newer CUDA toolkit; until then times are measured and bytes modelled.", ""};
      return;
    }
    gather_for({});
    counters_.sentence = fmt::format("{} counters of the {} are gathered in {} passes.",
                                     config_->metrics().size(), chip_, config_->passes());
    try_to_arm();
  } catch (const CuptiError& error) {
    refuse(error);
  }
}

void Counting::gather_for(const CounterNeeds& needs) {
  session_.reset();
  needs_ = needs;
  config_ = std::make_unique<CounterConfig>(*cupti_, chip_, needs);
  session_ = std::make_unique<CounterSession>(*cupti_, *device_, *config_);
}

void Counting::refuse(const CuptiError& error) {
  counters_ = counters_refused(error.code(), error.what());
  if (counters_.state != Facility::State::busy) {
    session_.reset();
  }
}

void Counting::try_to_arm() {
  if (!session_) {
    return;
  }
  try {
    session_->arm();
    counters_.state = Facility::State::ready;
  } catch (const CuptiError& error) {
    refuse(error);
  }
}

void Counting::arm() {
  settle();
  if (session_ && !session_->armed()) {
    arming_ = std::async(std::launch::async, [this] {
      device_->make_current();
      try_to_arm();
    });
  }
}

void Counting::settle() {
  if (arming_.valid()) {
    arming_.get();
  }
}

bool Counting::ready() {
  settle();
  if (session_ && !session_->armed()) {
    try_to_arm();
  }
  return session_ && session_->armed();
}

std::vector<Counters> Counting::count(const CounterNeeds& needs, const std::vector<CountedRun>& runs) {
  settle();
  try {
    if (session_ && !same_counters(needs, needs_)) {
      gather_for(needs);
    }
    if (!ready()) {
      return {};
    }
    const std::vector<Counters> counters = session_->count(runs);
    record();
    return counters;
  } catch (const CuptiError& error) {
    refuse(error);
  } catch (const UncountedError& error) {
    counters_.sentence = error.what();
  }
  return {};
}

void Counting::record() {
  if (!recordings_.empty()) {
    save(session_->recording(), recordings_ / fmt::format("launch_{}", ++recorded_));
  }
}

void Counting::distrust(const std::string& detail) {
  counters_ = {"counters", Facility::State::failed, "The counters of this machine count wrongly.",
               "Another driver or CUPTI version may mend it; until then times are measured and bytes modelled.",
               detail};
  session_.reset();
}

void Counting::release() {
  settle();
  if (session_) {
    session_->release();
  }
}

}  // namespace rooftile::worker
