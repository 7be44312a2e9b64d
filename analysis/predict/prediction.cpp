#include "analysis/predict/prediction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/chip/occupancy.hpp"
#include "analysis/model/coalescing.hpp"
#include "analysis/predict/block_life.hpp"
#include "analysis/predict/chip_pace.hpp"
#include "analysis/predict/l1_pipe.hpp"

namespace rooftile {
namespace {

class Terms {
 public:
  Terms(const Model& model, const std::optional<Compiled>& compiled, const Gpu& gpu, const Roofs& roofs)
      : model_(model),
        compiled_(compiled),
        gpu_(gpu),
        roofs_(roofs),
        resident_blocks_(occupancy(resources(), gpu.sm).blocks) {}

  bool fits() const { return model_.of_library || resident_blocks_ > 0; }

  // The model's bytes at L2 are expected ones, not the least: what several SMs ask for at a time is served
  // once, and blocks of one SM may share L1. The compulsory bytes pass L2 whatever happens.
  Seconds least() const {
    double longest = model_.flops ? time_of_flops() : 0;
    for (const MemoryLevel level : {MemoryLevel::dram, MemoryLevel::l1, MemoryLevel::shared}) {
      longest = std::max(longest, time_of_level(level));
    }
    return {std::max(longest, time_below(MemoryLevel::l2, model_.compulsory_dram.value))};
  }

  TermTimes all() const {
    TermTimes times{.pipe = model_.pipe};
    for (const Term term : all_terms) {
      times[term] = {time_of(term)};
    }
    return times;
  }

 private:
  double time_of(Term term) const {
    switch (term) {
      case Term::dram:
        return time_of_level(MemoryLevel::dram);
      case Term::l2:
        return time_of_level(MemoryLevel::l2);
      case Term::distributed:
        return time_of_level(MemoryLevel::distributed);
      case Term::l1_and_shared:
        return l1_and_shared();
      case Term::arithmetic:
        return arithmetic();
      case Term::warp_issue:
        return issue();
      case Term::partial_lines:
        return partial_lines();
      case Term::atomics_in_l2:
        return atomics_in_l2();
      case Term::atomics_on_other_blocks:
        return atomics_on_other_blocks();
      case Term::latency:
        return latency();
      case Term::block_starts:
        return block_starts();
    }
    return 0;
  }

  double time_of_level(MemoryLevel level) const {
    const Bytes unavoidable = level == MemoryLevel::dram ? model_.compulsory_dram : Bytes{};
    return time_below(level, model_.asked_of(level).value_or(unavoidable).value);
  }

  double time_below(MemoryLevel level, double bytes) const {
    const MemoryRoof* roof = roofs_.find(level);
    return roof != nullptr ? bytes / roof->bandwidth.value : 0;
  }

  double arithmetic() const {
    const double share_of_peak = model_.by_mma && of_warpgroups() ? mma_share_of_peak : 1;
    return model_.flops ? time_of_flops() * imbalance() / share_of_peak : 0;
  }

  double issue() const { return model_.instructions.count() / issue_rate() * imbalance(); }

  double time_of_flops() const {
    const ComputeRoof* peak = roofs_.find(model_.pipe);
    return peak != nullptr ? model_.flops->value / peak->peak.value : 0;
  }

  bool of_warpgroups() const {
    const TensorInstruction fastest = closest_architecture(gpu_.cc).tensor;
    return fastest == TensorInstruction::wgmma || fastest == TensorInstruction::tcgen05;
  }

  double l1_and_shared() const {
    return std::max({time_of_level(MemoryLevel::l1), time_of_level(MemoryLevel::shared),
                     time_below(MemoryLevel::shared, l1_pipe_cycles(model_) * line_bytes) * imbalance()});
  }

  double partial_lines() const {
    double lines = 0;
    for (const GlobalAccessModel& access : model_.global_accesses) {
      lines += access.kind == GlobalAccessKind::store ? access.partial_lines : 0;
    }
    return time_below(MemoryLevel::l2, lines * l2_bytes_of_partial_line);
  }

  double seconds(double cycles) const { return cycles / gpu_.boost_clock.value; }

  // A slice takes those of its words in turns, and all SMs together send no more than at random words.
  double atomics_in_l2() const {
    double cycles = 0;
    for (const AtomicModel& atomic : model_.atomics) {
      if (!atomic.on_other_blocks) {
        constexpr double bytes_of_word = 4;
        const double apart = std::max(1.0, atomic.words * bytes_of_word / bytes_of_l2_slice_turn);
        const double slices = apart * (1 - atomic.same) + atomic.same;
        cycles += atomic.operations * (roofs_.find(Pace::l2_atomic_of_one_word).cycles / slices +
                                       roofs_.find(Pace::l2_atomic).cycles / gpu_.sm_count);
      }
    }
    return seconds(cycles);
  }

  // Lanes that mean different words meet all SMs alike; those of one word meet one SM of each cluster.
  double atomics_on_other_blocks() const {
    const auto blocks_of_cluster = static_cast<double>(model_.launch.cluster.count());
    double cycles = 0;
    for (const AtomicModel& atomic : model_.atomics) {
      if (atomic.on_other_blocks) {
        cycles += atomic.lanes *
                  ((1 - atomic.same) * roofs_.find(Pace::remote_atomic).cycles +
                   atomic.same * blocks_of_cluster * roofs_.find(Pace::remote_atomic_of_one_word).cycles);
      }
    }
    return seconds(cycles) / gpu_.sm_count * imbalance();
  }

  // An SM's blocks take turns in the places there are. A warp that does more than the others is waited for.
  double latency() const {
    if (model_.of_library) {
      return 0;
    }
    const BlockResources block = resources();
    const bool waits_together = block.static_shared_bytes + block.dynamic_shared_bytes > 0;
    const double turns = std::max(1.0, blocks_of_fullest_sm() / resident_blocks_);
    return std::max(turns, model_.busiest_warp) *
           block_life(model_, waits_together, gpu_.sm.sub_partitions, roofs_) / gpu_.boost_clock.value;
  }

  double block_starts() const {
    return model_.of_library ? 0 : blocks() * roofs_.find(Pace::block_start).cycles / gpu_.boost_clock.value;
  }

  double issue_rate() const {
    const ComputeRoof* issue = roofs_.find(warp_issue);
    return issue != nullptr ? issue->peak.value
                            : gpu_.sm.sub_partitions * gpu_.sm_count * gpu_.boost_clock.value;
  }

  BlockResources resources() const { return resources_of(model_.launch, compiled_); }

  double blocks() const { return static_cast<double>(model_.launch.grid.count()); }
  double blocks_of_fullest_sm() const { return imbalance() * blocks() / gpu_.sm_count; }
  double imbalance() const { return rooftile::imbalance(model_, gpu_); }

  const Model& model_;
  const std::optional<Compiled>& compiled_;
  const Gpu& gpu_;
  const Roofs& roofs_;
  int resident_blocks_;
};

Model with_share_of_dram(Model model, double share) {
  model.bytes[MemoryLevel::dram] = share * model.bytes[MemoryLevel::dram].value_or(model.compulsory_dram);
  return model;
}

std::string basis_of(const Model& model, const std::optional<Compiled>& compiled) {
  if (model.of_library) {
    return "work and bytes alone: what the library launches is not known";
  }
  return compiled ? fmt::format("{} and {} registers {} {}", model.origin, compiled->registers,
                                compiled->from_table ? "from the bundled table for" : "compiled for",
                                text(compiled->cc))
                  : model.origin + ", as if registers limited nothing";
}

// At most DRAM moves what L2 is asked for, where that is known. Data that fit L2 come once.
bool is_least(const Model& model, const Gpu& gpu, const Roofs& roofs, TermTimes times) {
  constexpr double worth_telling = 1.05;
  if (model.is_bound) {
    return true;
  }
  const MemoryRoof* dram = roofs.find(MemoryLevel::dram);
  if (!model.dram_is_bound || !dram || lost_from_l2(model.compulsory_dram / gpu.l2_size) == 0) {
    return false;
  }
  const auto l2 = model.asked_of(MemoryLevel::l2);
  const Seconds known = together(times);
  times[Term::dram] = l2 ? *l2 / dram->bandwidth : known;
  return together(times) > worth_telling * known;
}

}  // namespace

double imbalance(const Model& model, const Gpu& gpu) {
  const double sms = gpu.sm_count * share_of_sms_that_hold_clusters(model.launch.cluster.count());
  const auto blocks = static_cast<double>(model.launch.grid.count());
  if (model.of_library) {
    return 1;
  }
  const double turns = std::ceil(blocks / sms);
  return turns * gpu.sm_count / blocks * (turns == 1 ? model.block_imbalance : 1);
}

void note(const Prediction& prediction, ModelFigures& figures) {
  figures.time = prediction.time;
  figures.basis = prediction.basis;
  figures.alone.clear();
  for (const Term term : prediction.terms.counting()) {
    figures.alone.push_back({term, prediction.terms[term]});
  }
  std::ranges::sort(figures.alone, std::ranges::greater{}, &TermAlone::time);
  figures.time_is_least = prediction.is_least;
}

std::optional<Prediction> predict(const Model& model, const std::optional<Compiled>& compiled, const Gpu& gpu,
                                  const Roofs& roofs, Caches caches) {
  if (caches == Caches::warm) {
    const double lost = lost_from_l2(model.compulsory_dram / gpu.l2_size);
    return predict(with_share_of_dram(model, lost), compiled, gpu, roofs, Caches::cold);
  }
  const Terms terms(model, compiled, gpu, roofs);
  if (!model.states_work || !terms.fits()) {
    return std::nullopt;
  }
  const TermTimes times = terms.all();
  return times[times.longest()] > Seconds{}
             ? std::optional(Prediction{together(times), terms.least(), times,
                                        is_least(model, gpu, roofs, times), basis_of(model, compiled)})
             : std::nullopt;
}

}  // namespace rooftile
