#include "analysis/predict/prediction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/coalescing.hpp"
#include "analysis/occupancy.hpp"
#include "analysis/predict/block_life.hpp"
#include "analysis/predict/chip_pace.hpp"
#include "analysis/predict/instructions.hpp"

namespace rooftile {
namespace {

// Terms overlap, but not wholly: while one holds up a warp, others are idle. The norm's exponent says how well:
// 1 adds them up, infinity is the roofline. Chosen on recorded launches of the H200.
constexpr double overlap = 3;

class Terms {
 public:
  Terms(const Model& model, const std::optional<Compiled>& compiled, const Gpu& gpu, const Roofs& roofs)
      : model_(model), compiled_(compiled), gpu_(gpu), roofs_(roofs) {}

  bool fits() const { return model_.of_library || resident_blocks() > 0; }

  // Bytes as modelled and FLOPs at the pipe's peak.
  Seconds least() const {
    double longest = model_.flops ? time_of_flops() : 0;
    for (const MemoryLevel level : memory_levels) {
      longest = std::max(longest, time_of_level(level));
    }
    return {longest};
  }

  std::vector<Term> all() {
    for (const MemoryLevel level : {MemoryLevel::dram, MemoryLevel::l2, MemoryLevel::distributed}) {
      add_level(level);
    }
    add("L1 and shared memory", l1_and_shared());
    add_arithmetic();
    if (!model_.of_library) {
      add("warp issue", warp_instructions(model_).count() / issue_rate() * imbalance());
      add("partly written sectors", partial_sectors());
      add("block starts", blocks() * cycles_per_block_start / gpu_.boost_clock.value);
      add("latency", latency());
    }
    return std::move(terms_);
  }

 private:
  void add(std::string name, double seconds) {
    if (seconds > 0) {
      terms_.push_back({std::move(name), {seconds}});
    }
  }

  void add_level(MemoryLevel level) { add(std::string(title(level)), time_of_level(level)); }

  double time_of_level(MemoryLevel level) const {
    const Bytes unavoidable = level == MemoryLevel::dram ? model_.compulsory_dram : Bytes{};
    return time_below(level, model_.bytes[level].value_or(unavoidable).value);
  }

  double time_below(MemoryLevel level, double bytes) const {
    const MemoryRoof* roof = roofs_.find(level);
    return roof != nullptr ? bytes / roof->bandwidth.value : 0;
  }

  void add_arithmetic() {
    if (model_.flops) {
      const double share_of_peak = model_.by_mma && of_warpgroups() ? mma_share_of_peak : 1;
      add(std::string(short_name(model_.pipe)), time_of_flops() * imbalance() / share_of_peak);
    }
  }

  double time_of_flops() const {
    const ComputeRoof* peak = roofs_.find(model_.pipe);
    return peak != nullptr ? model_.flops->value / peak->peak.value : 0;
  }

  bool of_warpgroups() const {
    const TensorInstruction fastest = closest_architecture(gpu_.cc).tensor;
    return fastest == TensorInstruction::wgmma || fastest == TensorInstruction::tcgen05;
  }

  // One pipe: a cycle moves one wavefront of shared memory or looks up one line. What cp.async brings is
  // written to shared memory through it as well.
  double l1_and_shared() const {
    double cycles = model_.bytes[MemoryLevel::shared].value_or(Bytes{}).value / line_bytes;
    for (const GlobalAccessModel& access : model_.global_accesses) {
      cycles += access.kind == GlobalAccessKind::copy ? 2 * access.lines : access.lines;
    }
    return std::max({time_of_level(MemoryLevel::l1), time_of_level(MemoryLevel::shared),
                     time_below(MemoryLevel::shared, cycles * line_bytes) * imbalance()});
  }

  double partial_sectors() const {
    double sectors = 0;
    for (const GlobalAccessModel& access : model_.global_accesses) {
      sectors += access.kind == GlobalAccessKind::store ? access.partial_sectors : 0;
    }
    return time_below(MemoryLevel::l2, sectors * sector_bytes) / l2_share_of_partial_sectors;
  }

  // An SM's blocks take turns in the places there are.
  double latency() const {
    const BlockResources block = resources();
    const bool waits_together = block.static_shared_bytes + block.dynamic_shared_bytes > 0;
    const double turns = std::max(1.0, blocks_of_fullest_sm() / resident_blocks());
    return turns * block_life(model_, waits_together) / gpu_.boost_clock.value;
  }

  double issue_rate() const {
    const ComputeRoof* issue = roofs_.find(warp_issue);
    return issue != nullptr ? issue->peak.value
                            : gpu_.sm.sub_partitions * gpu_.sm_count * gpu_.boost_clock.value;
  }

  BlockResources resources() const {
    BlockResources block;
    block.threads = static_cast<int>(model_.launch.block.count());
    block.dynamic_shared_bytes = model_.launch.dynamic_shared_bytes;
    if (compiled_) {
      block.registers_per_thread = compiled_->registers;
      block.static_shared_bytes = compiled_->static_shared_bytes;
      block.named_barriers = compiled_->named_barriers.value_or(block.named_barriers);
    }
    return block;
  }
  int resident_blocks() const { return occupancy(resources(), gpu_.sm).blocks; }

  double blocks() const { return static_cast<double>(model_.launch.grid.count()); }
  double blocks_of_fullest_sm() const { return std::ceil(blocks() / gpu_.sm_count); }
  // The last wave: how much more the fullest SM has to do than the mean.
  double imbalance() const { return model_.of_library ? 1 : blocks_of_fullest_sm() * gpu_.sm_count / blocks(); }

  const Model& model_;
  const std::optional<Compiled>& compiled_;
  const Gpu& gpu_;
  const Roofs& roofs_;
  std::vector<Term> terms_;
};

Seconds together(const std::vector<Term>& terms, Seconds longest) {
  double sum = 0;
  for (const Term& term : terms) {
    sum += std::pow(term.time / longest, overlap);
  }
  return std::pow(sum, 1 / overlap) * longest + launch_overhead;
}

std::string basis_of(const Model& model, const std::optional<Compiled>& compiled) {
  if (model.of_library) {
    return "work and bytes alone: what the library launches is not known";
  }
  return compiled ? fmt::format("the kernel's formulas and {} registers compiled for {}", compiled->registers,
                                text(compiled->cc))
                  : "the kernel's formulas, as if registers limited nothing";
}

}  // namespace

const Term& Prediction::longest() const {
  return *std::ranges::max_element(terms, {}, &Term::time);
}

std::optional<Prediction> predict(const Model& model, const std::optional<Compiled>& compiled, const Gpu& gpu,
                                  const Roofs& roofs) {
  Terms terms(model, compiled, gpu, roofs);
  Prediction prediction;
  if (terms.fits()) {
    prediction.terms = terms.all();
  }
  if (prediction.terms.empty()) {
    return std::nullopt;
  }
  prediction.least = terms.least();
  prediction.time = together(prediction.terms, prediction.longest().time);
  prediction.basis = basis_of(model, compiled);
  return prediction;
}

}  // namespace rooftile
