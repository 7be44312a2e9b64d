#include "kernels/worker/count/pc_sampling.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace rooftile::worker {
namespace {

constexpr double wanted_samples = 1e5;
constexpr int shortest_exponent = 8, longest_exponent = 20;
constexpr std::size_t instructions_at_once = 4096;
constexpr std::size_t hardware_buffer = 32 << 20, scratch_buffer = 4 << 20;  // [B]

template <class Params>
Params of_context(std::size_t size, const Device& device) {
  Params params{};
  params.size = size;
  params.ctx = device.context();
  return params;
}

CUpti_PCSamplingConfigurationInfo attribute(CUpti_PCSamplingConfigurationAttributeType type) {
  CUpti_PCSamplingConfigurationInfo info{};
  info.attributeType = type;
  return info;
}

}  // namespace

int sampling_exponent(Seconds launch, Hertz sm_clock, int sm_count) {
  const double cycles = (launch * sm_clock).value * sm_count;
  const int exponent = static_cast<int>(std::ceil(std::log2(std::max(cycles / wanted_samples, 1.0))));
  return std::clamp(exponent, shortest_exponent, longest_exponent);
}

std::string stall_reason(const std::string& metric) {
  constexpr std::string_view before = "stalled_";
  if (metric.ends_with("_not_issued")) {
    return {};
  }
  const auto at = metric.find(before);
  return at == std::string::npos ? metric : metric.substr(at + before.size());
}

PcSampling::Buffer::Buffer(std::size_t reasons)
    : stalls(instructions_at_once * reasons), instructions(instructions_at_once) {
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    instructions[i].size = sizeof(instructions[i]);
    instructions[i].stallReason = &stalls[i * reasons];
  }
  data.size = sizeof(data);
  data.collectNumPcs = instructions.size();
  data.pPcData = instructions.data();
}

PcSampling::PcSampling(const Cupti& cupti, const Device& device, int period_exponent)
    : cupti_(&cupti), device_(&device) {
  enable();
  try {
    ask_reasons();
    configure(period_exponent);
  } catch (...) {
    disable();
    throw;
  }
}

PcSampling::~PcSampling() {
  disable();
}

void PcSampling::enable() {
  auto params = of_context<CUpti_PCSamplingEnableParams>(CUpti_PCSamplingEnableParamsSize, *device_);
  cupti_->check(cupti_->cuptiPCSamplingEnable(&params), "cuptiPCSamplingEnable");
}

void PcSampling::disable() noexcept {
  auto params = of_context<CUpti_PCSamplingDisableParams>(CUpti_PCSamplingDisableParamsSize, *device_);
  cupti_->cuptiPCSamplingDisable(&params);
}

void PcSampling::ask_reasons() {
  std::size_t number = 0;
  auto ask = of_context<CUpti_PCSamplingGetNumStallReasonsParams>(CUpti_PCSamplingGetNumStallReasonsParamsSize,
                                                                  *device_);
  ask.numStallReasons = &number;
  cupti_->check(cupti_->cuptiPCSamplingGetNumStallReasons(&ask), "cuptiPCSamplingGetNumStallReasons");

  std::vector<std::array<char, CUPTI_STALL_REASON_STRING_SIZE>> names(number);
  std::vector<char*> pointers;
  for (auto& name : names) {
    pointers.push_back(name.data());
  }
  indices_.resize(number);
  auto get =
      of_context<CUpti_PCSamplingGetStallReasonsParams>(CUpti_PCSamplingGetStallReasonsParamsSize, *device_);
  get.numStallReasons = number;
  get.stallReasonIndex = indices_.data();
  get.stallReasons = pointers.data();
  cupti_->check(cupti_->cuptiPCSamplingGetStallReasons(&get), "cuptiPCSamplingGetStallReasons");
  for (std::size_t i = 0; i < number; ++i) {
    if (const std::string reason = stall_reason(names[i].data()); !reason.empty()) {
      reasons_[indices_[i]] = reason;
    }
  }
}

// Kernels are kept apart, and only launches between start and stop are sampled.
void PcSampling::configure(int period_exponent) {
  own_ = std::make_unique<Buffer>(indices_.size());
  taken_ = std::make_unique<Buffer>(indices_.size());
  auto reasons = attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_STALL_REASON);
  reasons.attributeData.stallReasonData = {indices_.size(), indices_.data()};
  auto period = attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD);
  period.attributeData.samplingPeriodData.samplingPeriod = static_cast<std::uint32_t>(period_exponent);
  auto mode = attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE);
  mode.attributeData.collectionModeData.collectionMode = CUPTI_PC_SAMPLING_COLLECTION_MODE_KERNEL_SERIALIZED;
  auto control = attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_ENABLE_START_STOP_CONTROL);
  control.attributeData.enableStartStopControlData.enableStartStopControl = 1;
  auto scratch = attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SCRATCH_BUFFER_SIZE);
  scratch.attributeData.scratchBufferSizeData.scratchBufferSize = scratch_buffer;
  auto hardware = attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_HARDWARE_BUFFER_SIZE);
  hardware.attributeData.hardwareBufferSizeData.hardwareBufferSize = hardware_buffer;
  auto format = attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_OUTPUT_DATA_FORMAT);
  format.attributeData.outputDataFormatData.outputDataFormat = CUPTI_PC_SAMPLING_OUTPUT_DATA_FORMAT_PARSED;
  auto buffer = attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER);
  buffer.attributeData.samplingDataBufferData.samplingDataBuffer = &own_->data;
  auto sleep = attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_WORKER_THREAD_PERIODIC_SLEEP_SPAN);
  sleep.attributeData.workerThreadPeriodicSleepSpanData.workerThreadPeriodicSleepSpan = 1;

  std::array all = {reasons, period, mode, control, scratch, hardware, format, buffer, sleep};
  auto params = of_context<CUpti_PCSamplingConfigurationInfoParams>(CUpti_PCSamplingConfigurationInfoParamsSize,
                                                                    *device_);
  params.numAttributes = all.size();
  params.pPCSamplingConfigurationInfo = all.data();
  cupti_->check(cupti_->cuptiPCSamplingSetConfigurationAttribute(&params),
                "cuptiPCSamplingSetConfigurationAttribute");
}

Samples PcSampling::of(std::uint64_t cubin_crc, const std::function<void()>& launch) {
  auto start = of_context<CUpti_PCSamplingStartParams>(CUpti_PCSamplingStartParamsSize, *device_);
  cupti_->check(cupti_->cuptiPCSamplingStart(&start), "cuptiPCSamplingStart");
  launch();
  device_->synchronize();
  auto stop = of_context<CUpti_PCSamplingStopParams>(CUpti_PCSamplingStopParamsSize, *device_);
  cupti_->check(cupti_->cuptiPCSamplingStop(&stop), "cuptiPCSamplingStop");

  Samples samples;
  do {
    auto get = of_context<CUpti_PCSamplingGetDataParams>(CUpti_PCSamplingGetDataParamsSize, *device_);
    get.pcSamplingData = &taken_->data;
    cupti_->check(cupti_->cuptiPCSamplingGetData(&get), "cuptiPCSamplingGetData");
    take(samples, cubin_crc);
  } while (taken_->data.remainingNumPcs > 0);
  return samples;
}

void PcSampling::take(Samples& samples, std::uint64_t cubin_crc) const {
  const CUpti_PCSamplingData& data = taken_->data;
  samples.dropped += static_cast<double>(data.droppedSamples);
  for (std::size_t i = 0; i < data.totalNumPcs; ++i) {
    const CUpti_PCSamplingPCData& from = data.pPcData[i];
    if (from.cubinCrc != cubin_crc || from.functionName == nullptr) {
      continue;
    }
    Instruction& instruction = samples.instructions.emplace_back();
    instruction.function = from.functionName;
    instruction.offset = from.pcOffset;
    for (std::size_t j = 0; j < from.stallReasonCount; ++j) {
      const auto reason = reasons_.find(from.stallReason[j].pcSamplingStallReasonIndex);
      if (reason != reasons_.end() && from.stallReason[j].samples > 0) {
        instruction.counts.stalls[reason->second] += from.stallReason[j].samples;
      }
    }
  }
}

}  // namespace rooftile::worker
