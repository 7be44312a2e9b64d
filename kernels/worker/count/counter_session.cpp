#include "kernels/worker/count/counter_session.hpp"

#include <utility>

namespace rooftile::worker {

CounterSession::CounterSession(const Cupti& cupti, const Device& device, const CounterConfig& config)
    : cupti_(&cupti), device_(&device), config_(&config) {}

void CounterSession::arm() {
  if (armed_) {
    return;
  }
  if (profiler_ == nullptr) {
    enable();
    set_config();
  }
  initialize_counter_data();
  start();
  armed_ = true;
}

std::vector<Counters> CounterSession::count(const std::vector<CountedRun>& runs) {
  make_room_for(runs.size());
  arm();
  try {
    for (bool complete = false; !complete;) {
      if (!armed_) {
        start();
      }
      pass(runs);
      complete = stop();
      armed_ = false;
    }
    decode();
    std::vector<Counters> counters;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      counters.push_back(config_->evaluate(counter_data_, i));
    }
    return counters;
  } catch (...) {
    armed_ = false;
    release();
    throw;
  }
}

void CounterSession::make_room_for(std::size_t runs) {
  if (runs > room_) {
    release();
    room_ = most_counted_together;
  }
}

CounterRecording CounterSession::recording() const {
  CounterRecording recording{config_->chip(), {}, counter_data_};
  for (const std::string name : config_->names()) {
    recording.values[name] = evaluate(name).value();
  }
  return recording;
}

void CounterSession::release() noexcept {
  if (profiler_ == nullptr) {
    return;
  }
  try {
    if (std::exchange(armed_, false)) {
      range(0, [] {});
      stop();
    }
  } catch (const Error&) {
    // Disabling below is what counts.
  }
  auto params = sized<CUpti_RangeProfiler_Disable_Params>(CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE);
  params.pRangeProfilerObject = std::exchange(profiler_, nullptr);
  cupti_->cuptiRangeProfilerDisable(&params);
  room_ = 1;
}

void CounterSession::enable() {
  auto params = sized<CUpti_RangeProfiler_Enable_Params>(CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE);
  params.ctx = device_->context();
  cupti_->check(cupti_->cuptiRangeProfilerEnable(&params), "cuptiRangeProfilerEnable");
  profiler_ = params.pRangeProfilerObject;

  auto size = sized<CUpti_RangeProfiler_GetCounterDataSize_Params>(
      CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE);
  size.pRangeProfilerObject = profiler_;
  size.pMetricNames = const_cast<const char**>(config_->names().data());
  size.numMetrics = config_->names().size();
  size.maxNumOfRanges = room_;
  size.maxNumRangeTreeNodes = room_;
  cupti_->check(cupti_->cuptiRangeProfilerGetCounterDataSize(&size), "cuptiRangeProfilerGetCounterDataSize");
  counter_data_.assign(size.counterDataSize, 0);
}

void CounterSession::initialize_counter_data() {
  auto params = sized<CUpti_RangeProfiler_CounterDataImage_Initialize_Params>(
      CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE);
  params.pRangeProfilerObject = profiler_;
  params.counterDataSize = counter_data_.size();
  params.pCounterData = counter_data_.data();
  cupti_->check(cupti_->cuptiRangeProfilerCounterDataImageInitialize(&params),
                "cuptiRangeProfilerCounterDataImageInitialize");
}

// A profiler object keeps the first configuration it was started with; a later one would count nothing.
void CounterSession::set_config() {
  initialize_counter_data();
  auto params = sized<CUpti_RangeProfiler_SetConfig_Params>(CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE);
  params.pRangeProfilerObject = profiler_;
  params.configSize = config_->image().size();
  params.pConfig = config_->image().data();
  params.counterDataImageSize = counter_data_.size();
  params.pCounterDataImage = counter_data_.data();
  params.range = CUPTI_UserRange;
  params.replayMode = CUPTI_UserReplay;
  params.maxRangesPerPass = room_;
  params.numNestingLevels = 1;
  params.minNestingLevel = 1;
  params.passIndex = 0;
  params.targetNestingLevel = 1;
  cupti_->check(cupti_->cuptiRangeProfilerSetConfig(&params), "cuptiRangeProfilerSetConfig");
}

void CounterSession::start() {
  auto params = sized<CUpti_RangeProfiler_Start_Params>(CUpti_RangeProfiler_Start_Params_STRUCT_SIZE);
  params.pRangeProfilerObject = profiler_;
  cupti_->check(cupti_->cuptiRangeProfilerStart(&params), "cuptiRangeProfilerStart");
}

bool CounterSession::stop() {
  auto params = sized<CUpti_RangeProfiler_Stop_Params>(CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE);
  params.pRangeProfilerObject = profiler_;
  cupti_->check(cupti_->cuptiRangeProfilerStop(&params), "cuptiRangeProfilerStop");
  return params.isAllPassSubmitted != 0;
}

void CounterSession::decode() {
  auto params = sized<CUpti_RangeProfiler_DecodeData_Params>(CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE);
  params.pRangeProfilerObject = profiler_;
  cupti_->check(cupti_->cuptiRangeProfilerDecodeData(&params), "cuptiRangeProfilerDecodeData");
}

void CounterSession::pass(const std::vector<CountedRun>& runs) {
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].prepare();
    range(i, runs[i].launch);
  }
  device_->synchronize();
}

void CounterSession::range(std::size_t index, const std::function<void()>& body) {
  const std::string name = std::to_string(index);  // ranges of one name would be one range
  auto push = sized<CUpti_RangeProfiler_PushRange_Params>(CUpti_RangeProfiler_PushRange_Params_STRUCT_SIZE);
  push.pRangeProfilerObject = profiler_;
  push.pRangeName = name.c_str();
  cupti_->check(cupti_->cuptiRangeProfilerPushRange(&push), "cuptiRangeProfilerPushRange");
  body();
  auto pop = sized<CUpti_RangeProfiler_PopRange_Params>(CUpti_RangeProfiler_PopRange_Params_STRUCT_SIZE);
  pop.pRangeProfilerObject = profiler_;
  cupti_->check(cupti_->cuptiRangeProfilerPopRange(&pop), "cuptiRangeProfilerPopRange");
}

}  // namespace rooftile::worker
