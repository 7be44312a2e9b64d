#include "analysis/predict/prediction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "analysis/chip/occupancy.hpp"
#include "analysis/model/coalescing.hpp"
#include "analysis/predict/atomics.hpp"
#include "analysis/predict/block_life.hpp"
#include "analysis/predict/chip_pace.hpp"
#include "analysis/predict/instructions.hpp"
#include "analysis/predict/l1_pipe.hpp"

namespace rooftile {
namespace {

// Terms overlap, but not wholly: while one holds up a warp, others are idle. The norm's exponent says how well:
// 1 adds them up, infinity is the roofline. Chosen on recorded launches of the H200.
constexpr double overlap = 2.5;

class Terms {
 public:
  Terms(const Model& model, const std::optional<Compiled>& compiled, const Gpu& gpu, const Roofs& roofs)
      : model_(model),
        compiled_(compiled),
        gpu_(gpu),
        roofs_(roofs),
        resident_blocks_(occupancy(resources(), gpu.sm).blocks) {}

  bool fits() const { return model_.of_library || resident_blocks_ > 0; }

  // Bytes at L2 are those to be expected, not the least: what several SMs ask for at a time is served once, and
  // blocks of one SM may share L1. The compulsory ones pass it whatever happens.
  Seconds least() const {
    double longest = model_.flops ? time_of_flops() : 0;
    for (const MemoryLevel level : {MemoryLevel::dram, MemoryLevel::l1, MemoryLevel::shared}) {
      longest = std::max(longest, time_of_level(level));
    }
    return {std::max(longest, time_below(MemoryLevel::l2, model_.compulsory_dram.value))};
  }

  std::vector<Term> all() {
    add_level(MemoryLevel::dram, lost_bytes());
    add_level(MemoryLevel::l2);
    add_level(MemoryLevel::distributed);
    add("L1 and shared memory", l1_and_shared());
    add_arithmetic_and_issue();
    if (!model_.of_library) {
      add("partly written sectors", partial_sectors());
      add("atomics in L2", atomics_in_l2());
      add("atomics on other blocks", atomics_on_other_blocks());
      add("latency", latency(), true);
      terms_.push_back({.name = "block starts", .time = block_starts(), .beside = true});
    }
    return std::move(terms_);
  }

 private:
  void add(std::string name, double seconds, bool estimated = false) {
    if (seconds > 0) {
      terms_.push_back({std::move(name), {seconds}, estimated});
    }
  }

  void add_level(MemoryLevel level, double more_bytes = 0) {
    add(std::string(title(level)), time_of_level(level) + time_below(level, more_bytes));
  }

  // That come from DRAM again: so many blocks at a time move more than L2 keeps.
  double lost_bytes() const {
    const double blocks_at_once = std::min(blocks(), 1.0 * resident_blocks_ * gpu_.sm_count);
    return model_.reused.value *
           lost_from_l2(model_.reuse_distance.value * blocks_at_once / gpu_.l2_size.value);
  }

  double time_of_level(MemoryLevel level) const {
    const Bytes unavoidable = level == MemoryLevel::dram ? model_.compulsory_dram : Bytes{};
    return time_below(level, model_.bytes[level].value_or(unavoidable).value);
  }

  double time_below(MemoryLevel level, double bytes) const {
    const MemoryRoof* roof = roofs_.find(level);
    return roof != nullptr ? bytes / roof->bandwidth.value : 0;
  }

  // What does not run on tensor cores takes one issue slot each: then only the longer of the two is a term.
  void add_arithmetic_and_issue() {
    const double share_of_peak = model_.by_mma && of_warpgroups() ? mma_share_of_peak : 1;
    const double arithmetic = model_.flops ? time_of_flops() * imbalance() / share_of_peak : 0;
    const double issue = model_.of_library ? 0 : warp_instructions(model_).count() / issue_rate() * imbalance();
    const bool share_slots = !is_tensor(model_.pipe);
    add(std::string(short_name(model_.pipe)), share_slots && arithmetic < issue ? 0 : arithmetic);
    add("warp issue", share_slots && issue <= arithmetic ? 0 : issue, true);
  }

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

  double partial_sectors() const {
    double sectors = 0;
    for (const GlobalAccessModel& access : model_.global_accesses) {
      sectors += access.kind == GlobalAccessKind::store ? access.partial_sectors : 0;
    }
    return time_below(MemoryLevel::l2, sectors * sector_bytes) / l2_share_of_partial_sectors;
  }

  double atomics_in_l2() const {
    const MemoryRoof* l2 = roofs_.find(MemoryLevel::l2);
    const double clock = l2_clock_of_sm_clock * gpu_.boost_clock.value;
    double seconds = 0;
    for (const AtomicModel& atomic : model_.atomics) {
      if (atomic.place == AtomicPlace::global && l2 != nullptr) {
        const double sectors_per_cycle = l2->bandwidth.value / sector_bytes / clock;
        seconds += l2_operations(atomic) / l2_operation_rate(atomic, sectors_per_cycle) / clock;
      }
    }
    return seconds;
  }

  // Random lanes meet all SMs alike; those of one word meet one SM of each cluster.
  double atomics_on_other_blocks() const {
    const auto blocks_of_cluster = static_cast<double>(model_.launch.cluster.count());
    double cycles = 0;
    for (const AtomicModel& atomic : model_.atomics) {
      if (atomic.place == AtomicPlace::cluster) {
        const double lanes = atomic.requests * warp_size * atomic.active;
        const double remote = lanes * (1 - atomic.same) * (1 - 1 / blocks_of_cluster);
        cycles += remote / remote_lanes_per_cycle +
                  lanes * atomic.same * blocks_of_cluster / remote_lanes_of_one_word;
      }
    }
    return cycles / gpu_.sm_count / gpu_.boost_clock.value * imbalance();
  }

  // An SM's blocks take turns in the places there are.
  double latency() const {
    const BlockResources block = resources();
    const bool waits_together = block.static_shared_bytes + block.dynamic_shared_bytes > 0;
    const double turns = std::max(1.0, blocks_of_fullest_sm() / resident_blocks_);
    return turns * block_life(model_, waits_together, gpu_.sm.sub_partitions) / gpu_.boost_clock.value;
  }

  Seconds block_starts() const { return {blocks() * cycles_per_block_start / gpu_.boost_clock.value}; }

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
  std::vector<Term> terms_;
};

Model with_share_of_dram(Model model, double share) {
  model.bytes[MemoryLevel::dram] = share * model.bytes[MemoryLevel::dram].value_or(model.compulsory_dram);
  return model;
}

std::string basis_of(const Model& model, const std::optional<Compiled>& compiled) {
  if (model.of_library) {
    return "work and bytes alone: what the library launches is not known";
  }
  return compiled ? fmt::format("the kernel's formulas and {} registers {} {}", compiled->registers,
                                compiled->from_table ? "from the bundled table for" : "compiled for",
                                text(compiled->cc))
                  : "the kernel's formulas, as if registers limited nothing";
}

}  // namespace

double weight(Seconds time) {
  return std::pow(time.value, overlap);
}

Seconds together(const std::vector<Term>& terms) {
  double sum = 0;
  Seconds least;
  for (const Term& term : terms) {
    if (term.beside) {
      least = std::max(least, term.time);
    } else {
      sum += weight(term.time);
    }
  }
  return std::max(least, Seconds{std::pow(sum, 1 / overlap)}) + launch_overhead;
}

double imbalance(const Model& model, const Gpu& gpu) {
  const double sms = gpu.sm_count * share_of_sms_that_hold_clusters(model.launch.cluster.count());
  const auto blocks = static_cast<double>(model.launch.grid.count());
  return model.of_library ? 1 : std::ceil(blocks / sms) * gpu.sm_count / blocks;
}

std::string id_of_term(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char letter) {
    return letter == ' ' ? '_' : static_cast<char>(std::tolower(letter));
  });
  return name;
}

const Term& Prediction::longest() const {
  return *std::ranges::max_element(terms, {}, &Term::time);
}

void note(const Prediction& prediction, ModelFigures& figures) {
  figures.time = prediction.time;
  figures.basis = prediction.basis;
  figures.longest = prediction.longest().name;
}

std::optional<Prediction> predict(const Model& model, const std::optional<Compiled>& compiled, const Gpu& gpu,
                                  const Roofs& roofs, Caches caches) {
  if (caches == Caches::warm) {
    const double lost = lost_from_l2(model.compulsory_dram / gpu.l2_size);
    return predict(with_share_of_dram(model, lost), compiled, gpu, roofs, Caches::cold);
  }
  Terms terms(model, compiled, gpu, roofs);
  Prediction prediction;
  if (model.states_work && terms.fits()) {
    prediction.terms = terms.all();
  }
  if (prediction.terms.empty()) {
    return std::nullopt;
  }
  prediction.least = terms.least();
  prediction.time = together(prediction.terms);
  prediction.basis = basis_of(model, compiled);
  return prediction;
}

}  // namespace rooftile
