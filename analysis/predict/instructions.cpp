#include "analysis/predict/instructions.hpp"

#include <string_view>

#include "analysis/chip/pipe.hpp"
#include "analysis/model/banks.hpp"

namespace rooftile {
namespace {

constexpr double per_warp = 20, per_shared_load = 1.5, per_shared_store = 12;
constexpr double per_load = 2.5, per_store = 7, per_copy = 16, per_atomic = 10;

// FLOPs of one warp instruction. Source: PTX ISA, the shapes of mma.sync: m16n8k8 of TF32, k16 of BF16 and
// FP16, k32 of FP8 and INT8.
double flops_per_instruction(std::string_view pipe) {
  if (!is_tensor(pipe)) {
    return 2 * warp_size * (pipe == fp16_pipe ? 2 : 1);
  }
  const bool bytes = pipe == fp8_tensor_pipe || pipe == int8_tensor_pipe;
  const bool halves = pipe == bf16_tensor_pipe || pipe == fp16_tensor_pipe;
  const double depth = bytes ? 32 : halves ? 16 : 8;
  return 2 * 16 * 8 * depth;
}

double per_request(GlobalAccessKind kind) {
  switch (kind) {
    case GlobalAccessKind::load:
      return per_load;
    case GlobalAccessKind::store:
      return per_store;
    case GlobalAccessKind::copy:
      break;
  }
  return per_copy;
}

bool issued_by_warps(const Model& model) {
  return !is_tensor(model.pipe) || model.by_mma;
}

}  // namespace

double warps_of(const Launch& launch) {
  const std::int64_t of_block = (launch.block.count() + warp_size - 1) / warp_size;
  return static_cast<double>(launch.grid.count() * of_block);
}

WarpInstructions warp_instructions(const Model& model) {
  if (model.instructions) {
    return *model.instructions;
  }
  WarpInstructions sum;
  if (model.flops && issued_by_warps(model)) {
    sum.arithmetic = model.flops->value / flops_per_instruction(model.pipe);
  }
  sum.others = per_warp * warps_of(model.launch);
  for (const AccessModel& access : model.accesses) {
    sum.others += access.requests * (access.store ? per_shared_store : per_shared_load);
  }
  for (const GlobalAccessModel& access : model.global_accesses) {
    sum.others += access.requests * per_request(access.kind);
  }
  for (const AtomicModel& atomic : model.atomics) {
    sum.others += atomic.requests * per_atomic;
  }
  return sum;
}

}  // namespace rooftile
