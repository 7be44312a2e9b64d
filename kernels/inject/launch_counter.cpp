#include "kernels/inject/launch_counter.hpp"

#include <fmt/format.h>

#include "kernels/worker/count/counters_refused.hpp"

namespace rooftile::inject {

using worker::CounterConfig;
using worker::CuptiError;
using worker::sized;

namespace {

Facility ready(const CounterConfig& config) {
  return {"counters", Facility::State::ready,
          fmt::format("{} counters of the {} are gathered in {} passes.", config.metrics().size(),
                      config.chip(), config.passes()),
          "", ""};
}

}  // namespace

bool LaunchCounter::begin(CUcontext context, int device) {
  if (gave_up()) {
    return false;
  }
  try {
    if (!profiler_ || context_ != context) {
      open(context, device);
    }
    profiler_->clear();
    profiler_->start();
    tries_left_ = most_tries;
    facility_ = ready(*config_);
    return true;
  } catch (const CuptiError& error) {
    profiler_.reset();
    facility_ = worker::counters_refused(error.code(), error.what());
    tries_left_ = facility_.state == Facility::State::refused ? 0 : tries_left_ - 1;
    return false;
  }
}

std::optional<Counters> LaunchCounter::end() {
  try {
    profiler_->stop();
    profiler_->decode();
    return config_->evaluate(profiler_->counter_data());
  } catch (const CuptiError&) {
    profiler_.reset();  // it may hold half a launch
  } catch (const UncountedError&) {
  }
  return {};
}

void LaunchCounter::release(CUcontext context) {
  if (context_ == context) {
    profiler_.reset();
  }
}

void LaunchCounter::open(CUcontext context, int device) {
  profiler_.reset();
  if (!initialized_) {
    auto params = sized<CUpti_Profiler_Initialize_Params>(CUpti_Profiler_Initialize_Params_STRUCT_SIZE);
    cupti_->check(cupti_->cuptiProfilerInitialize(&params), "cuptiProfilerInitialize");
    initialized_ = true;
  }
  config_ = &config_of(device);
  profiler_.emplace(*cupti_, context, *config_, 1, worker::Replay::kernel);
  context_ = context;
}

const CounterConfig& LaunchCounter::config_of(int device) {
  auto chip = sized<CUpti_Device_GetChipName_Params>(CUpti_Device_GetChipName_Params_STRUCT_SIZE);
  chip.deviceIndex = static_cast<std::size_t>(device);
  cupti_->check(cupti_->cuptiDeviceGetChipName(&chip), "cuptiDeviceGetChipName");
  auto& config = configs_[chip.pChipName];
  if (!config) {
    config = std::make_unique<CounterConfig>(*cupti_, chip.pChipName, CounterNeeds{.any_pipe = true});
  }
  return *config;
}

}  // namespace rooftile::inject
