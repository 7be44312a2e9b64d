#include "analysis/ptx/work/derived_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/chip/pipe.hpp"
#include "analysis/ptx/program/line_names.hpp"
#include "analysis/ptx/text/ptx_text.hpp"
#include "analysis/ptx/work/claims.hpp"
#include "analysis/ptx/work/l1_cache.hpp"
#include "analysis/ptx/work/races.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"

namespace rooftile::ptx {
namespace {

// The pipe with the most FLOPs.
std::string busiest_pipe(const KernelWork& work) {
  std::string busiest = fp32_pipe;
  for (const char* pipe : pipes) {
    busiest = work.flops(pipe) > work.flops(busiest) ? pipe : busiest;
  }
  return busiest;
}

InstructionClass class_on(const std::string& pipe) {
  return is_tensor(pipe)     ? InstructionClass::tensor
         : pipe == fp64_pipe ? InstructionClass::fp64
         : pipe == fp16_pipe ? InstructionClass::fp16
                             : InstructionClass::fp32;
}

WarpInstructions instructions_of(const KernelWork& work, const std::string& pipe) {
  WarpInstructions sum;
  for (const auto& [kind, warps] : work.warp_instructions) {
    (kind == class_on(pipe) ? sum.arithmetic : sum.others) += warps;
  }
  return sum;
}

// The bytes of each buffer that are read and written at least once: no more than its lanes ask for, and no more
// than lie between the first and the last of them.
class Touched {
 public:
  Touched(const Program& program, const KernelWork& work) {
    for (const AccessWork& access : work.accesses) {
      const Instruction& x = program.instructions[access.instruction];
      if (access.counts.sectors > 0 && access.range.end > access.range.begin) {
        add(access, !is_store(x), is_store(x) || is_atomic(x));
      }
    }
  }

  Bytes bytes() const {
    double sum = 0;
    for (const auto& [window, ranges] : of_windows_) {
      sum += ranges.read.touched() + ranges.written.touched();
    }
    return {sum};
  }

  std::vector<BufferWork> by_buffer(const std::vector<DeviceBuffer>& buffers) const {
    std::vector<BufferWork> all;
    for (const auto& [window, ranges] : of_windows_) {
      if (window > 0 && window <= buffers.size()) {
        const DeviceBuffer& buffer = buffers[window - 1];
        AddressRange at = ranges.read.at;
        at.add(ranges.written.at.begin, ranges.written.at.end);
        const double asked = ranges.read.asked + ranges.written.asked;
        all.push_back({buffer.name, Bytes{static_cast<double>(buffer.bytes)}, Bytes{ranges.read.asked},
                       Bytes{ranges.written.asked}, Bytes{Range{at, asked}.touched()}});
      }
    }
    return all;
  }

 private:
  struct Range {
    AddressRange at;
    double asked = 0;
    double extent() const {
      constexpr std::uint64_t sector = 32;
      return at.end > at.begin
                 ? static_cast<double>(sector * ((at.end + sector - 1) / sector - at.begin / sector))
                 : 0;
    }
    double touched() const { return std::min(asked, extent()); }
  };
  struct OfWindow {
    Range read, written;
  };

  void add(const AccessWork& access, bool reads, bool writes) {
    OfWindow& window = of_windows_[access.range.begin / window_bytes];
    for (Range* range : {reads ? &window.read : nullptr, writes ? &window.written : nullptr}) {
      if (range) {
        range->at.add(access.range.begin, access.range.end);
        range->asked += access.counts.sectors * sector_bytes;
      }
    }
  }

  std::map<std::uint64_t, OfWindow> of_windows_;
};

// The compiler unrolls loops: accesses of one line that differ in nothing but their place are one.
class AccessesByLine {
 public:
  AccessesByLine(const Program& program, const LineNames& names) : program_(program), names_(names) {}

  void add(const AccessWork& access) {
    const Instruction& x = program_.instructions[access.instruction];
    if (access.counts.shared_requests > 0) {
      add_shared(access, x);
    }
    if (access.counts.remote_lanes > 0) {
      add_atomic(access, x, true);
    }
    if (access.counts.requests > 0 && is_atomic(x)) {
      add_atomic(access, x, false);
    } else if (access.counts.requests > 0) {
      add_global(access, x);
    }
  }

  void give_to(Model& model) {
    UniqueNames names;
    for (auto& [key, access] : shared_) {
      access.name = names.take(access.name);
      model.accesses.push_back(std::move(access));
    }
    for (auto& [key, access] : global_) {
      model.global_accesses.push_back(std::move(access));
    }
    for (auto& [key, atomic] : atomics_) {
      model.atomics.push_back(std::move(atomic));
    }
  }

 private:
  void add_shared(const AccessWork& access, const Instruction& x) {
    const bool store = is_store(x) || is_atomic(x);
    const BankPattern pattern = bank_pattern(access.first_shared.addresses, access.first_shared.width_bytes,
                                             store || x.op == Op::ldmatrix);
    AccessModel& of_line = shared_[{x.source, store, access.first_shared.width_bytes}];
    if (of_line.requests == 0 || pattern.wavefronts > of_line.pattern.wavefronts) {
      of_line.name = names_.of(x);
      of_line.store = store;
      of_line.pattern = pattern;
      of_line.width_bytes = access.first_shared.width_bytes;
      of_line.addresses = access.first_shared.addresses;
    }
    of_line.requests += access.counts.shared_requests;
    of_line.wavefronts += access.counts.wavefronts;
  }

  void add_global(const AccessWork& access, const Instruction& x) {
    const GlobalAccessKind kind = is_copy(x)    ? GlobalAccessKind::copy
                                  : is_store(x) ? GlobalAccessKind::store
                                                : GlobalAccessKind::load;
    GlobalAccessModel& of_line = global_[{x.source, kind}];
    if (of_line.requests == 0) {
      of_line.name = names_.of(x);
      of_line.kind = kind;
      of_line.width_bytes = access.first_global.width_bytes;
      of_line.addresses = access.first_global.addresses;
    }
    of_line.requests += access.counts.requests;
    of_line.sectors += access.counts.sectors;
    of_line.lines += access.counts.lines;
    of_line.partial_lines += access.counts.partial_lines;
    of_line.cycles += access.counts.cycles;
  }

  // The instruction's lanes mean L2, or other blocks of the cluster.
  void add_atomic(const AccessWork& access, const Instruction& x, bool on_other_blocks) {
    constexpr double bytes_of_word = 4;
    const InstructionCounts& counts = access.counts;
    const double requests = on_other_blocks ? counts.remote_requests : counts.requests,
                 lanes = on_other_blocks ? counts.remote_lanes : counts.lanes - counts.joined_lanes;
    const double same = lanes > requests ? (counts.of_one_word - requests) / (lanes - requests) : 0;
    AtomicModel& of_line = atomics_[{x.source, on_other_blocks}];
    of_line.name = names_.of(x);
    of_line.on_other_blocks = on_other_blocks;
    of_line.same = (of_line.same * of_line.lanes + same * lanes) / (of_line.lanes + lanes);
    of_line.lanes += lanes;
    of_line.operations += counts.sectors;
    of_line.words =
        std::max(of_line.words, static_cast<double>(access.range.end - access.range.begin) / bytes_of_word);
  }

  const Program& program_;
  const LineNames& names_;
  std::map<std::tuple<SourceLine, bool, int>, AccessModel> shared_;
  std::map<std::tuple<SourceLine, GlobalAccessKind>, GlobalAccessModel> global_;
  std::map<std::pair<SourceLine, bool>, AtomicModel> atomics_;
};

std::string origin_of(const Model& model, const KernelWork& work) {
  return fmt::format("the compiled code ({} of {} blocks run{})", work.blocks_run,
                     count(static_cast<double>(model.launch.grid.count())),
                     work.multiplied_trips > 0 ? ", loops that repeat multiplied" : "");
}

// From cold caches, as far as it can be followed.
CacheTraffic traffic_within(const Program& program, const ProgramLaunch& launch, const KernelWork& work,
                            const Residency& residency, const Gpu& gpu) {
  try {
    return cache_traffic(memory_traffic(program, launch, work, residency, gpu, Caches::cold));
  } catch (const Error&) {  // its trace is longer than a run may be: the bytes touched are a bound
    return {};
  }
}

constexpr double worth_a_bound = 1.1;  // L2 asked for more than this share of what is touched

}  // namespace

CacheTraffic cache_traffic(const std::optional<MemoryTraffic>& traffic) {
  if (!traffic || traffic->at_least) {
    return {};
  }
  return {traffic->l2, traffic->dram(), traffic->between_l2_parts};
}

Model derived_model(const Model& stated, const Program& program, const KernelWork& work,
                    const CacheTraffic& traffic, std::string_view source) {
  Model model;
  model.launch = stated.launch;
  model.elements = stated.elements;
  model.origin = origin_of(stated, work);
  model.pipe = busiest_pipe(work);
  const Flops below = work.flops_below(model.pipe);
  model.flops = below > Flops{} ? std::optional(below) : std::nullopt;
  model.instructions = instructions_of(work, model.pipe);
  model.by_mma = std::ranges::any_of(program.instructions, [](const auto& x) { return x.op == Op::mma; });
  model.compulsory_dram = Touched(program, work).bytes();
  model.bytes[MemoryLevel::dram] = traffic.dram;
  model.bytes[MemoryLevel::l2] = traffic.l2;
  model.between_l2_parts = traffic.between_l2_parts;
  model.bytes[MemoryLevel::l1] =
      Bytes{sector_bytes * (work.global_sectors + work.remote_sectors + work.local_sectors)};
  if (work.shared_requests > 0) {
    model.bytes[MemoryLevel::shared] = Bytes{bank_count * bank_bytes * work.shared_wavefronts};
  }
  if (work.remote_sectors > 0) {
    model.bytes[MemoryLevel::distributed] = Bytes{sector_bytes * work.remote_sectors};
  }
  model.is_bound = work.prints > 0 || work.retries > 0 || work.local_sectors > 0;
  model.dram_is_bound = !traffic.dram && (!traffic.l2 || *traffic.l2 > worth_a_bound * model.compulsory_dram);
  model.rounds = std::max(1.0, work.rounds / warps_of(model.launch));
  model.ahead = work.copies_ahead;
  model.busiest_warp = work.busiest_warp;
  model.block_imbalance = work.block_imbalance;
  const LineNames names(program, source);
  AccessesByLine accesses(program, names);
  for (const AccessWork& access : work.accesses) {
    accesses.add(access);
  }
  accesses.give_to(model);
  return model;
}

namespace {

// A few blocks of a launch, run.
class Reading {
 public:
  Reading(const CompiledLaunch& code, const StatedLaunch& stated, const Gpu& gpu)
      : code_(code),
        gpu_(gpu),
        stated_(stated.model),
        program_(parse_ptx(code.ptx, code.symbol, code.machine_code)),
        launch_(stated.launch),
        work_(work_of(program_, launch_)) {}

  Model model() const {
    BlockResources block = resources_of(launch_.launch, code_.compiled);
    block.static_shared_bytes = program_.static_shared_bytes;
    const auto residency = residency_of(block, launch_.launch, gpu_);
    const CacheTraffic traffic =
        residency ? traffic_within(program_, launch_, work_, *residency, gpu_) : CacheTraffic{};
    return derived_model(stated_, program_, work_, traffic, code_.source);
  }

  DerivedLaunch all() const {
    constexpr Budget for_races{.warp_instructions = 2'000'000};
    DerivedLaunch derived{model(), work_.findings, {}};
    derived.buffers = Touched(program_, work_).by_buffer(launch_.buffers);
    derived.barriers = work_.barriers;
    derived.divergent_branches = work_.divergent_branches;
    std::ranges::move(races_of(program_, launch_, for_races), std::back_inserter(derived.findings));
    if (stated_.states_work) {
      std::ranges::move(differing_claims(stated_, derived.model), std::back_inserter(derived.findings));
    }
    const LineNames names(program_, code_.source);
    std::ranges::copy_if(work_.lines, std::back_inserter(derived.lines),
                         [&](const LineWork& line) { return names.is_own(line.source); });
    return derived;
  }

 private:
  const CompiledLaunch& code_;
  const Gpu& gpu_;
  const Model& stated_;
  Program program_;
  const ProgramLaunch& launch_;
  KernelWork work_;
};

}  // namespace

StatedLaunch stated_launch(const Manifest& manifest, const Parameters& parameters, const Gpu& gpu) {
  return {rooftile::model(manifest, parameters, gpu.sm_count),
          program_launch(manifest, parameters, gpu.sm_count)};
}

Model derived_model(const CompiledLaunch& code, const StatedLaunch& stated, const Gpu& gpu) {
  return Reading(code, stated, gpu).model();
}

DerivedLaunch derived_launch(const CompiledLaunch& code, const StatedLaunch& stated, const Gpu& gpu) {
  return Reading(code, stated, gpu).all();
}

}  // namespace rooftile::ptx
