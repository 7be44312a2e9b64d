#include "analysis/record/point.hpp"

#include <array>

namespace rooftile {
namespace {

// Lanes of a warp x 4 bytes: what one shared-memory wavefront can move.
constexpr double wavefront_bytes = bank_count * bank_bytes;

std::optional<double> rate(const std::optional<double>& part, const std::optional<double>& whole) {
  return part && whole && *whole > 0 ? std::optional(*part / *whole) : std::nullopt;
}

struct Weighted {
  const std::optional<double>& executed;
  double flops;
};

}  // namespace

std::optional<Flops> Counters::flops(std::string_view pipe) const {
  if (is_tensor(pipe)) {
    const auto found = tensor_by_pipe.find(std::string(pipe));
    return found == tensor_by_pipe.end() ? tensor : found->second;
  }
  const double packed = pipe == fp16_pipe ? 2 : 0;
  const Weighted operations[] = {{fadd, 1}, {fmul, 1},      {ffma, 2},      {dadd, 1},         {dmul, 1},
                                 {dfma, 2}, {hadd, packed}, {hmul, packed}, {hfma, 2 * packed}};
  std::optional<Flops> sum;
  for (const Weighted& operation : operations) {
    if (operation.executed) {
      sum = sum.value_or(Flops{}) + Flops{operation.flops * *operation.executed};
    }
  }
  return sum;
}

std::map<std::string, Flops> Counters::flops_by_pipe() const {
  std::map<std::string, Flops> all = tensor_by_pipe;
  const auto put = [&](const char* pipe, const auto& add, const auto& multiply, const auto& fused,
                       double width) {
    if (add && multiply && fused) {
      all[pipe] = Flops{width * (*add + *multiply + 2 * *fused)};
    }
  };
  put(fp32_pipe, fadd, fmul, ffma, 1);
  put(fp64_pipe, dadd, dmul, dfma, 1);
  put(fp16_pipe, hadd, hmul, hfma, 2);
  return all;
}

std::string Counters::busiest_pipe(double threads, std::optional<bool> half_arithmetic) const {
  constexpr double most_for_constants = 8;  // HFMA2 per thread; 1 was seen in FP32 and FP64 kernels (sm_90)
  const bool seems_in_half = hmul.value_or(0) > 0 || hfma.value_or(0) > most_for_constants * threads;
  const bool in_half = half_arithmetic.value_or(seems_in_half);
  std::string busiest = fp32_pipe;
  Flops most;
  for (const auto& [pipe, flops] : flops_by_pipe()) {
    if (flops > most && (pipe != fp16_pipe || in_half)) {
      busiest = pipe;
      most = flops;
    }
  }
  return busiest;
}

std::optional<Bytes> Counters::bytes(MemoryLevel level, ByteDefinition definition) const {
  const bool returned = definition == ByteDefinition::returned;
  switch (level) {
    case MemoryLevel::dram:
      return dram_read && dram_write ? std::optional(*dram_read + *dram_write) : dram;
    case MemoryLevel::l2:
      return returned ? l2_returned : l2;
    case MemoryLevel::l1:
      if (returned) {
        return l1_returned;
      }
      return l1 ? std::optional(*l1 - distributed.value_or(Bytes{})) : std::nullopt;
    case MemoryLevel::shared:
      return shared_wavefronts ? std::optional(Bytes{wavefront_bytes * *shared_wavefronts}) : std::nullopt;
    case MemoryLevel::distributed:
      return distributed;
  }
  return {};
}

std::optional<double> Counters::l1_hit_rate() const {
  return rate(l1_hits, l1_sectors);
}

std::optional<double> Counters::l2_hit_rate() const {
  return rate(l2_hits, l2_requests);
}

std::optional<double> Counters::sectors_per_request() const {
  const auto global = bytes(MemoryLevel::l1);
  return global ? rate(global->value / sector_bytes, global_requests) : std::nullopt;
}

std::string_view key(Evidence evidence) {
  constexpr std::array<std::string_view, 3> keys = {"predicted", "timed", "counted"};
  return keys[static_cast<std::size_t>(evidence)];
}

// Counters hold no time: without a timing they cannot be placed.
Evidence Point::evidence() const {
  if (!timing) {
    return Evidence::predicted;
  }
  return counters ? Evidence::counted : Evidence::timed;
}

bool Point::wrong() const {
  return verification && !verification->passed;
}

bool Point::sound() const {
  return !failure && !wrong();
}

bool Point::competes() const {
  return timing && sound();
}

std::optional<Flops> Point::counted_flops() const {
  return counters ? counters->flops(modelled.pipe) : std::nullopt;
}

ModelFigures figures_of(const Model& model) {
  ModelFigures figures{model.flops, model.elements, model.compulsory_dram, model.bytes};
  figures.pipe = model.pipe;
  figures.states_work = model.states_work;
  return figures;
}

Architecture architecture_of(const Point& point) {
  return point.compiled ? closest_architecture(point.compiled->cc) : Architecture{};
}

std::optional<Occupancy> occupancy_of(const Point& point, const SmLimits& sm) {
  if (!point.compiled) {
    return {};
  }
  const Occupancy found = occupancy(resources_of(point.launch, point.compiled), sm);
  return found.max_warps > 0 ? std::optional(found) : std::nullopt;
}

}  // namespace rooftile
