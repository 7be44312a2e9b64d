#include "kernels/worker/measure/counting.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/worker/count/counters_refused.hpp"

namespace rooftile::worker {

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

std::vector<Counters> Counting::count(const CounterNeeds& needs, const std::vector<CountedRun>& runs,
                                      const std::function<void(const Counters&)>& place) {
  settle();
  try {
    if (session_ && !same_counters(needs, needs_)) {
      gather_for(needs);
    }
    if (!ready()) {
      return {};
    }
    const std::vector<Counters> counters = session_->count(runs, place);
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
