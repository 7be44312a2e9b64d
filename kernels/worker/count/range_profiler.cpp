#include "kernels/worker/count/range_profiler.hpp"

namespace rooftile::worker {

RangeProfiler::RangeProfiler(const Cupti& cupti, CUcontext context, const CounterConfig& config,
                             std::uint32_t ranges, Replay replay)
    : cupti_(&cupti), config_(&config), most_ranges_(ranges), replay_(replay) {
  enable(context);
  try {
    make_room();
    configure();
  } catch (...) {
    disable();
    throw;
  }
}

RangeProfiler::~RangeProfiler() {
  disable();
}

void RangeProfiler::enable(CUcontext context) {
  auto params = sized<CUpti_RangeProfiler_Enable_Params>(CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE);
  params.ctx = context;
  cupti_->check(cupti_->cuptiRangeProfilerEnable(&params), "cuptiRangeProfilerEnable");
  profiler_ = params.pRangeProfilerObject;
}

// If that fails, nothing is left to do: the driver takes the hardware back with the process.
void RangeProfiler::disable() noexcept {
  auto params = sized<CUpti_RangeProfiler_Disable_Params>(CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE);
  params.pRangeProfilerObject = profiler_;
  cupti_->cuptiRangeProfilerDisable(&params);
}

void RangeProfiler::make_room() {
  auto size = sized<CUpti_RangeProfiler_GetCounterDataSize_Params>(
      CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE);
  size.pRangeProfilerObject = profiler_;
  size.pMetricNames = const_cast<const char**>(config_->names().data());
  size.numMetrics = config_->names().size();
  size.maxNumOfRanges = most_ranges_;
  size.maxNumRangeTreeNodes = most_ranges_;
  cupti_->check(cupti_->cuptiRangeProfilerGetCounterDataSize(&size), "cuptiRangeProfilerGetCounterDataSize");
  counter_data_.assign(size.counterDataSize, 0);
  clear();
}

void RangeProfiler::clear() {
  auto params = sized<CUpti_RangeProfiler_CounterDataImage_Initialize_Params>(
      CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE);
  params.pRangeProfilerObject = profiler_;
  params.counterDataSize = counter_data_.size();
  params.pCounterData = counter_data_.data();
  cupti_->check(cupti_->cuptiRangeProfilerCounterDataImageInitialize(&params),
                "cuptiRangeProfilerCounterDataImageInitialize");
}

void RangeProfiler::configure() {
  auto params = sized<CUpti_RangeProfiler_SetConfig_Params>(CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE);
  params.pRangeProfilerObject = profiler_;
  params.configSize = config_->image().size();
  params.pConfig = config_->image().data();
  params.counterDataImageSize = counter_data_.size();
  params.pCounterDataImage = counter_data_.data();
  params.range = replay_ == Replay::user ? CUPTI_UserRange : CUPTI_AutoRange;
  params.replayMode = replay_ == Replay::user ? CUPTI_UserReplay : CUPTI_KernelReplay;
  params.maxRangesPerPass = most_ranges_;
  params.numNestingLevels = 1;
  params.minNestingLevel = 1;
  params.targetNestingLevel = replay_ == Replay::user ? 1 : 0;
  cupti_->check(cupti_->cuptiRangeProfilerSetConfig(&params), "cuptiRangeProfilerSetConfig");
}

void RangeProfiler::start() {
  auto params = sized<CUpti_RangeProfiler_Start_Params>(CUpti_RangeProfiler_Start_Params_STRUCT_SIZE);
  params.pRangeProfilerObject = profiler_;
  cupti_->check(cupti_->cuptiRangeProfilerStart(&params), "cuptiRangeProfilerStart");
}

bool RangeProfiler::stop() {
  auto params = sized<CUpti_RangeProfiler_Stop_Params>(CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE);
  params.pRangeProfilerObject = profiler_;
  cupti_->check(cupti_->cuptiRangeProfilerStop(&params), "cuptiRangeProfilerStop");
  pass_ = static_cast<int>(params.passIndex);
  return params.isAllPassSubmitted != 0;
}

void RangeProfiler::push(const std::string& range) {
  auto params = sized<CUpti_RangeProfiler_PushRange_Params>(CUpti_RangeProfiler_PushRange_Params_STRUCT_SIZE);
  params.pRangeProfilerObject = profiler_;
  params.pRangeName = range.c_str();
  cupti_->check(cupti_->cuptiRangeProfilerPushRange(&params), "cuptiRangeProfilerPushRange");
}

void RangeProfiler::pop() {
  auto params = sized<CUpti_RangeProfiler_PopRange_Params>(CUpti_RangeProfiler_PopRange_Params_STRUCT_SIZE);
  params.pRangeProfilerObject = profiler_;
  cupti_->check(cupti_->cuptiRangeProfilerPopRange(&params), "cuptiRangeProfilerPopRange");
}

void RangeProfiler::decode() {
  auto params = sized<CUpti_RangeProfiler_DecodeData_Params>(CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE);
  params.pRangeProfilerObject = profiler_;
  cupti_->check(cupti_->cuptiRangeProfilerDecodeData(&params), "cuptiRangeProfilerDecodeData");
}

}  // namespace rooftile::worker
