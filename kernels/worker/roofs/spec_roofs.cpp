#include "kernels/worker/roofs/spec_roofs.hpp"

#include <fmt/format.h>

#include "analysis/text/format.hpp"

namespace rooftile::worker {
namespace {

constexpr double bytes_per_wavefront = 128;  // 32 banks of 4 bytes
constexpr double bytes_per_l2_return = 32;   // a sector per cycle from each slice
constexpr double lanes = 32;

using Clock = std::optional<Hertz> Counters::*;

struct MemorySpec {
  MemoryLevel level;
  const char* metric;
  double bytes;
  Clock clock;
};
constexpr MemorySpec memory_specs[] = {
    {MemoryLevel::dram, "dram__bytes", 1, &Counters::dram_clock},
    {MemoryLevel::l2, "lts__lts2xbar_cycles_active", bytes_per_l2_return, &Counters::l2_clock},
    {MemoryLevel::l1, "l1tex__data_pipe_lsu_wavefronts", bytes_per_wavefront, &Counters::sm_clock},
    {MemoryLevel::shared, "l1tex__data_pipe_lsu_wavefronts", bytes_per_wavefront, &Counters::sm_clock},
};

struct ComputeSpec {
  const char* pipe;
  std::vector<std::string> metrics;  // the first that the chip knows is taken
  double operations;
};

// Chips that multiply sparse matrices count these FLOPs in the plain metric too, and its peak is twice the
// dense one. Newer chips have a faster instruction, with metrics of its own, beside mma.sync.
ComputeSpec tensor(const char* pipe, const std::vector<std::string>& newer,
                   const std::vector<std::string>& types) {
  ComputeSpec spec{pipe, newer, 1};
  for (const std::string& type : types) {
    spec.metrics.push_back("src_" + type + "_sparsity_off");
  }
  for (const std::string& type : types) {
    spec.metrics.push_back("op_hmma_src_" + type + "_sparsity_off");
    spec.metrics.push_back("op_imma_src_" + type + "_sparsity_off");
    spec.metrics.push_back("src_" + type);
  }
  for (std::string& metric : spec.metrics) {
    metric.insert(0, "sm__ops_path_tensor_");
  }
  return spec;
}

const std::vector<ComputeSpec>& compute_specs() {
  static const std::vector<ComputeSpec> specs = {
      {fp64_pipe, {"sm__sass_thread_inst_executed_op_dfma_pred_on"}, 2},
      {fp32_pipe, {"sm__sass_thread_inst_executed_op_ffma_pred_on"}, 2},
      {fp16_pipe, {"sm__sass_thread_inst_executed_op_hfma_pred_on"}, 4},
      {int32_pipe, {"sm__inst_executed_pipe_fmaheavy", "sm__inst_executed_pipe_fma"}, 2 * lanes},
      {warp_issue, {"smsp__inst_executed"}, 1},
      tensor(fp64_tensor_pipe, {}, {"fp64"}),
      tensor(tf32_tensor_pipe,
             {"op_hgmma_src_tf32_dst_fp32_sparsity_off", "op_utchmma_src_tf32_dst_fp32_sparsity_off"},
             {"tf32_dst_fp32"}),
      tensor(bf16_tensor_pipe,
             {"op_hgmma_src_bf16_dst_fp32_sparsity_off", "op_utchmma_src_bf16_dst_fp32_sparsity_off"},
             {"bf16_dst_fp32"}),
      tensor(fp16_tensor_pipe, {"op_hgmma_src_fp16_sparsity_off", "op_utchmma_src_fp16_dst_fp32_sparsity_off"},
             {"fp16_dst_fp32", "fp16_bf16_tf32_dst_fp32"}),
      tensor(fp8_tensor_pipe, {"op_utcqmma_src_fp4_fp6_fp8_dst_fp32_sparsity_off"}, {"fp8", "fp8_dst_fp32"}),
      tensor(int8_tensor_pipe, {"op_igmma_src_int8_sparsity_off", "op_utcimma_src_int8_sparsity_off"},
             {"int8"}),
  };
  return specs;
}

struct Peak {
  std::string metric;
  double a_cycle;
};

// Nothing where the chip does not have it.
std::optional<Peak> peak_of(const Evaluate& evaluate, const std::vector<std::string>& metrics) {
  for (const std::string& metric : metrics) {
    const std::string name = metric + ".sum.peak_sustained";
    if (const auto peak = evaluate(name)) {
      return *peak > 0 ? std::optional(Peak{name, *peak}) : std::nullopt;
    }
  }
  return std::nullopt;
}

std::string source(const Peak& peak, Hertz clock) {
  return fmt::format("{} = {} a cycle, at {}", peak.metric, count(peak.a_cycle), text(clock));
}

}  // namespace

Roofs spec_roofs(const Evaluate& evaluate, const Counters& counters) {
  Roofs roofs;
  for (const MemorySpec& spec : memory_specs) {
    const auto peak = peak_of(evaluate, {spec.metric});
    if (const auto clock = counters.*spec.clock; peak && clock) {
      roofs.memory.push_back(
          {spec.level, Bytes{spec.bytes * peak->a_cycle} * *clock, Origin::spec, source(*peak, *clock)});
    }
  }
  for (const ComputeSpec& spec : compute_specs()) {
    const auto peak = peak_of(evaluate, spec.metrics);
    if (const auto clock = counters.sm_clock; peak && clock) {
      roofs.compute.push_back(
          {spec.pipe, Flops{spec.operations * peak->a_cycle} * *clock, Origin::spec, source(*peak, *clock)});
    }
  }
  return roofs;
}

}  // namespace rooftile::worker
