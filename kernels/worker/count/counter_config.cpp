#include "kernels/worker/count/counter_config.hpp"

#include <algorithm>
#include <cmath>

namespace rooftile::worker {

ProfilerHost::ProfilerHost(const Cupti& cupti, const std::string& chip) : cupti_(&cupti) {
  auto params = sized<CUpti_Profiler_Host_Initialize_Params>(CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE);
  params.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  params.pChipName = chip.c_str();
  // Without an availability image all counters of the chip count as available; asking the device costs 0.5 s.
  params.pCounterAvailabilityImage = nullptr;
  cupti.check(cupti.cuptiProfilerHostInitialize(&params), "cuptiProfilerHostInitialize");
  handle_ = params.pHostObject;
}

ProfilerHost::~ProfilerHost() {
  auto params =
      sized<CUpti_Profiler_Host_Deinitialize_Params>(CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE);
  params.pHostObject = handle_;
  cupti_->cuptiProfilerHostDeinitialize(&params);
}

bool ProfilerHost::knows(const std::string& metric) const {
  auto params = sized<CUpti_Profiler_Host_GetMetricProperties_Params>(
      CUpti_Profiler_Host_GetMetricProperties_Params_STRUCT_SIZE);
  params.pHostObject = handle_;
  params.pMetricName = metric.c_str();
  return cupti_->cuptiProfilerHostGetMetricProperties(&params) == CUPTI_SUCCESS;
}

std::vector<std::string> supported_chips(const Cupti& cupti) {
  auto params = sized<CUpti_Profiler_Host_GetSupportedChips_Params>(
      CUpti_Profiler_Host_GetSupportedChips_Params_STRUCT_SIZE);
  cupti.check(cupti.cuptiProfilerHostGetSupportedChips(&params), "cuptiProfilerHostGetSupportedChips");
  return {params.ppChipNames, params.ppChipNames + params.numChips};
}

CounterConfig::CounterConfig(const Cupti& cupti, const std::string& chip, const CounterNeeds& needs)
    : cupti_(&cupti),
      chip_(chip),
      host_(std::in_place, cupti, chip),
      metrics_(choose_metrics(needs, [this](const std::string& name) { return host_->knows(name); })) {
  for (const Metric& metric : metrics_) {
    names_.push_back(metric.name.c_str());
  }
  gather_in_fewest_passes();
  const int fewest = passes_;
  gather_place_first(is_tensor(needs.pipe));
  if (passes_ > fewest) {
    gather_in_fewest_passes();
  }
}

// Passes follow the order of these calls: the armed one comes first. All patched metrics must stand in one
// call; spread over several, every one of them silently returns the first one's count.
void CounterConfig::gather_in_fewest_passes() {
  host_.emplace(*cupti_, chip_);
  add({Gathering::hardware, Gathering::own, Gathering::use});
  add({Gathering::patched});
  passes_of_place_.reset();
  passes_without_tensor_ = build();
  add({Gathering::tensor});
  passes_ = build();
}

// Work on a tensor pipe is counted by the hardware, so that patched instructions can wait.
void CounterConfig::gather_place_first(bool on_tensor_pipe) {
  host_.emplace(*cupti_, chip_);
  add({Gathering::hardware});
  if (!on_tensor_pipe) {
    add({Gathering::patched});
  }
  add({Gathering::own});
  passes_of_place_ = build();
  if (on_tensor_pipe) {
    add({Gathering::patched});
  }
  add({Gathering::use});
  passes_without_tensor_ = build();
  add({Gathering::tensor});
  passes_ = build();
}

int CounterConfig::build() {
  auto size = sized<CUpti_Profiler_Host_GetConfigImageSize_Params>(
      CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE);
  size.pHostObject = host_->handle();
  cupti_->check(cupti_->cuptiProfilerHostGetConfigImageSize(&size), "cuptiProfilerHostGetConfigImageSize");
  image_.resize(size.configImageSize);

  auto get =
      sized<CUpti_Profiler_Host_GetConfigImage_Params>(CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE);
  get.pHostObject = host_->handle();
  get.configImageSize = image_.size();
  get.pConfigImage = image_.data();
  cupti_->check(cupti_->cuptiProfilerHostGetConfigImage(&get), "cuptiProfilerHostGetConfigImage");

  auto passes =
      sized<CUpti_Profiler_Host_GetNumOfPasses_Params>(CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE);
  passes.configImageSize = image_.size();
  passes.pConfigImage = image_.data();
  cupti_->check(cupti_->cuptiProfilerHostGetNumOfPasses(&passes), "cuptiProfilerHostGetNumOfPasses");
  return static_cast<int>(passes.numOfPasses);
}

void CounterConfig::add(std::initializer_list<Gathering> gatherings) {
  std::vector<const char*> names;
  for (const Metric& metric : metrics_) {
    if (std::ranges::find(gatherings, metric.gathering) != gatherings.end()) {
      names.push_back(metric.name.c_str());
    }
  }
  if (names.empty()) {
    return;
  }
  auto params = sized<CUpti_Profiler_Host_ConfigAddMetrics_Params>(
      CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE);
  params.pHostObject = host_->handle();
  params.ppMetricNames = names.data();
  params.numMetrics = names.size();
  cupti_->check(cupti_->cuptiProfilerHostConfigAddMetrics(&params), "cuptiProfilerHostConfigAddMetrics");
}

std::vector<double> CounterConfig::values(const std::vector<std::uint8_t>& counter_data,
                                          const std::vector<const char*>& names, std::size_t range) const {
  std::vector<double> values(names.size(), std::nan(""));
  auto params = sized<CUpti_Profiler_Host_EvaluateToGpuValues_Params>(
      CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE);
  params.pHostObject = host_->handle();
  params.pCounterDataImage = counter_data.data();
  params.counterDataImageSize = counter_data.size();
  params.rangeIndex = range;
  params.ppMetricNames = const_cast<const char**>(names.data());
  params.numMetrics = names.size();
  params.pMetricValues = values.data();
  cupti_->check(cupti_->cuptiProfilerHostEvaluateToGpuValues(&params), "cuptiProfilerHostEvaluateToGpuValues");
  return values;
}

double CounterConfig::value_of(const char* name, const std::vector<double>& values) const {
  const auto found = std::ranges::find(metrics_, name, &Metric::name);
  return found == metrics_.end() ? 0 : values[found - metrics_.begin()];
}

std::optional<bool> CounterConfig::uses_tensor(const std::vector<double>& values) const {
  const double all = value_of(tensor_instructions, values), hfma2 = value_of(tensor_hfma2, values);
  if (all == 0) {
    return false;
  }
  return std::isnan(all) || std::isnan(hfma2) ? std::nullopt : std::optional(all > hfma2);
}

bool CounterConfig::needs_pass(int pass, const std::vector<double>& values) const {
  if (pass < passes_without_tensor_ || values.empty()) {
    return pass < passes_without_tensor_;
  }
  const bool may_tell = pass == passes_without_tensor_ && value_of(tensor_instructions, values) > 0;
  return uses_tensor(values).value_or(may_tell);
}

void CounterConfig::set_tensor_to_zero(std::vector<double>& values) const {
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    values[i] = metrics_[i].gathering == Gathering::tensor ? 0 : values[i];
  }
}

Counters CounterConfig::evaluate(const std::vector<std::uint8_t>& counter_data, std::size_t range) const {
  Counters counters = store(metrics_, values(counter_data, names_, range));
  counters.passes = passes_;
  return counters;
}

std::optional<Counters> CounterConfig::evaluate_place(const std::vector<std::uint8_t>& counter_data) const {
  std::vector<double> known = values(counter_data, 0);
  if (std::ranges::find(metrics_, Gathering::tensor, &Metric::gathering) != metrics_.end()) {
    if (uses_tensor(known) != false) {
      return std::nullopt;
    }
    set_tensor_to_zero(known);
  }
  Counters counters = store_counted(metrics_, known);
  counters.passes = passes_of_place_.value();
  return counters;
}

std::optional<double> CounterConfig::evaluate(const std::vector<std::uint8_t>& counter_data,
                                              const std::string& metric) const {
  if (!host_->knows(metric)) {
    return std::nullopt;
  }
  const double value = values(counter_data, {metric.c_str()}, 0).front();
  return std::isnan(value) ? std::nullopt : std::optional(value);
}

}  // namespace rooftile::worker
