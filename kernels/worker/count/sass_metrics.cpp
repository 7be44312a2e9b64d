#include "kernels/worker/count/sass_metrics.hpp"

#include <algorithm>

namespace rooftile::worker {
namespace {

struct Row {
  const char* name;
  std::optional<double> LineProfile::*field;
};

constexpr Row table[] = {
    {"smsp__sass_inst_executed", &LineProfile::executed},
    {"smsp__sass_thread_inst_executed_pred_on", &LineProfile::thread_executed},
    {"smsp__sass_sectors_mem_global", &LineProfile::global_sectors},
    {"smsp__sass_sectors_mem_global_ideal", &LineProfile::ideal_global_sectors},
    {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared", &LineProfile::shared_wavefronts},
    {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal", &LineProfile::ideal_shared_wavefronts},
};

}  // namespace

std::vector<Instruction> SassMetrics::count(std::uint64_t cubin_crc, const std::function<void()>& launch) {
  configure();
  auto enable = sized<CUpti_SassMetricsEnable_Params>(CUpti_SassMetricsEnable_Params_STRUCT_SIZE);
  enable.ctx = device_->context();
  enable.enableLazyPatching = 1;
  cupti_->check(cupti_->cuptiSassMetricsEnable(&enable), "cuptiSassMetricsEnable");
  try {
    launch();
    device_->synchronize();
    auto instructions = read(cubin_crc);
    disable();
    return instructions;
  } catch (...) {
    disable();
    throw;
  }
}

// Called once: CUPTI refuses a second configuration in a process, with OUT_OF_MEMORY (seen with 13.0).
void SassMetrics::configure() {
  if (configured_) {
    return;
  }
  config_.clear();
  fields_.clear();
  for (const Row& row : table) {
    auto metric =
        sized<CUpti_SassMetrics_GetProperties_Params>(CUpti_SassMetrics_GetProperties_Params_STRUCT_SIZE);
    metric.pChipName = chip_.c_str();
    metric.pMetricName = row.name;
    if (cupti_->cuptiSassMetricsGetProperties(&metric) == CUPTI_SUCCESS) {
      config_.push_back({metric.metric.metricId, CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU});
      fields_.push_back(row.field);
    }
  }
  auto params = sized<CUpti_SassMetricsSetConfig_Params>(CUpti_SassMetricsSetConfig_Params_STRUCT_SIZE);
  params.pConfigs = config_.data();
  params.numOfMetricConfig = config_.size();
  params.deviceIndex = static_cast<std::uint32_t>(device_->index());
  cupti_->check(cupti_->cuptiSassMetricsSetConfig(&params), "cuptiSassMetricsSetConfig");
  configured_ = true;
}

std::vector<Instruction> SassMetrics::read(std::uint64_t cubin_crc) const {
  auto size =
      sized<CUpti_SassMetricsGetDataProperties_Params>(CUpti_SassMetricsGetDataProperties_Params_STRUCT_SIZE);
  size.ctx = device_->context();
  cupti_->check(cupti_->cuptiSassMetricsGetDataProperties(&size), "cuptiSassMetricsGetDataProperties");
  const std::size_t records = size.numOfPatchedInstructionRecords;
  const std::size_t values = size.numOfInstances * config_.size();

  std::vector<CUpti_SassMetrics_InstanceValue> storage(records * values);
  std::vector<CUpti_SassMetrics_Data> data(records);
  for (std::size_t i = 0; i < records; ++i) {
    data[i].structSize = sizeof(data[i]);
    data[i].pInstanceValues = &storage[i * values];
  }
  auto flush = sized<CUpti_SassMetricsFlushData_Params>(CUpti_SassMetricsFlushData_Params_STRUCT_SIZE);
  flush.ctx = device_->context();
  flush.numOfPatchedInstructionRecords = records;
  flush.numOfInstances = size.numOfInstances;
  flush.pMetricsData = data.data();
  cupti_->check(cupti_->cuptiSassMetricsFlushData(&flush), "cuptiSassMetricsFlushData");

  std::vector<Instruction> instructions;
  for (const CUpti_SassMetrics_Data& record : data) {
    if (record.functionName == nullptr || record.cubinCrc != static_cast<std::uint32_t>(cubin_crc)) {
      continue;
    }
    Instruction& instruction = instructions.emplace_back();
    instruction.function = record.functionName;
    instruction.offset = record.pcOffset;
    for (std::size_t i = 0; i < values; ++i) {
      const auto& [id, value] = record.pInstanceValues[i];
      const auto metric = std::ranges::find(config_, id, &CUpti_SassMetrics_Config::metricId);
      if (metric != config_.end()) {
        auto& field = instruction.counts.*fields_[static_cast<std::size_t>(metric - config_.begin())];
        field = field.value_or(0) + static_cast<double>(value);
      }
    }
  }
  return instructions;
}

void SassMetrics::disable() noexcept {
  auto params = sized<CUpti_SassMetricsDisable_Params>(CUpti_SassMetricsDisable_Params_STRUCT_SIZE);
  params.ctx = device_->context();
  cupti_->cuptiSassMetricsDisable(&params);
}

}  // namespace rooftile::worker
