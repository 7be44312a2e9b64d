#include "analysis/ptx/work/kernel_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "analysis/chip/pipe.hpp"
#include "analysis/ptx/program/copy_waits.hpp"
#include "analysis/ptx/program/instruction_flops.hpp"
#include "analysis/ptx/program/machine_counts.hpp"
#include "analysis/ptx/program/program_analysis.hpp"
#include "analysis/ptx/work/block_counts.hpp"

namespace rooftile::ptx {
namespace {

InstructionClass class_of(const Instruction& x) {
  switch (x.op) {
    case Op::mma:
    case Op::wgmma:
      return InstructionClass::tensor;
    case Op::ld:
    case Op::ldmatrix:
    case Op::cp_async:
    case Op::cp_bulk:
      return InstructionClass::load;
    case Op::st:
    case Op::stmatrix:
      return InstructionClass::store;
    case Op::atom:
    case Op::red:
      return InstructionClass::atomic;
    case Op::ex2:
    case Op::lg2:
    case Op::rcp:
    case Op::rsqrt:
    case Op::sqrt:
    case Op::sin:
    case Op::cos:
    case Op::tanh:
      return InstructionClass::special;
    case Op::cvt:
    case Op::cvta:
      return InstructionClass::convert;
    case Op::mov:
    case Op::shfl:
      return InstructionClass::move;
    default:
      break;
  }
  const bool calculates = x.op >= Op::abs && x.op <= Op::xor_;
  return !calculates                                ? InstructionClass::control
         : x.from.kind == 'x' || x.from.kind == 'h' ? InstructionClass::fp16
         : x.from.kind != 'f'                       ? InstructionClass::whole
         : x.from.bytes == 8                        ? InstructionClass::fp64
         : x.from.bytes == 4                        ? InstructionClass::fp32
                                                    : InstructionClass::fp16;
}

// By the type of its inputs, which the name holds but for wmma's with FP16: "wmma.mma...m16n16k16.f32.f32".
std::string tensor_pipe(std::string_view name) {
  if (name.starts_with("wmma.mma") && name.ends_with(".f32.f32")) {
    return fp16_tensor_pipe;
  }
  constexpr std::array<std::pair<std::string_view, const char*>, 9> pipes = {{{".bf16", bf16_tensor_pipe},
                                                                              {".tf32", tf32_tensor_pipe},
                                                                              {".e4m3", fp8_tensor_pipe},
                                                                              {".e5m2", fp8_tensor_pipe},
                                                                              {".s8", int8_tensor_pipe},
                                                                              {".u8", int8_tensor_pipe},
                                                                              {".f64", fp64_tensor_pipe},
                                                                              {".f16", fp16_tensor_pipe},
                                                                              {"", "other tensor"}}};
  return std::ranges::find_if(pipes,
                              [&](const auto& pipe) { return name.find(pipe.first) != std::string_view::npos; })
      ->second;
}

Arithmetic& arithmetic_of_type(const Instruction& x, KernelWork& work) {
  return x.type.bytes == 8 ? work.fp64 : x.type.kind == 'f' && x.type.bytes == 4 ? work.fp32 : work.fp16;
}

class Totals {
 public:
  Totals(const Program& program, const Counts& counts, const Accesses& accesses)
      : program_(program),
        counts_(counts),
        accesses_(accesses),
        machine_(machine_counts(program, counts.block_warps)) {}

  KernelWork work() {
    for (std::size_t block = 0; block < program_.blocks.size(); ++block) {
      for (std::int32_t i = program_.blocks[block].begin; i < program_.blocks[block].end; ++i) {
        add(i, block);
      }
    }
    work_.rounds = machine_.waits;
    add_copy_waits();
    work_.divergent_branches = counts_.divergent_branches;
    work_.code_instructions = machine_.code;
    for (auto& [source, line] : lines_) {
      work_.lines.push_back(line);
    }
    return std::move(work_);
  }

 private:
  // The wait that is met most often says how far ahead a kernel copies.
  void add_copy_waits() {
    double most = 0;
    for (const CopyWait& wait : copy_waits(program_)) {
      const double warps = warps_of(wait.instruction);
      work_.rounds += warps;
      if (warps > most) {
        most = warps;
        work_.copies_ahead = wait.ahead;
      }
    }
  }

  double warps_of(std::int32_t number) const {
    const auto block =
        std::ranges::find_if(program_.blocks, [&](const BasicBlock& each) { return number < each.end; });
    return counts_.block_warps[static_cast<std::size_t>(block - program_.blocks.begin())];
  }

  static constexpr double instructions_of_trip = 7;  // of a loop of compare and swap: an estimate

  void add(std::int32_t number, std::size_t block) {
    const Instruction& x = program_.instructions[number];
    InstructionCounts counts = counts_.instructions[number];
    if (x.guard < 0 || x.op == Op::bra) {
      counts.warps = counts_.block_warps[block];
      counts.lanes = counts_.block_lanes[block];
    }
    LineWork& line = lines_[x.source];
    line.source = x.source;
    const double machine = machine_.warps[static_cast<std::size_t>(number)];
    line.warp_instructions += machine + instructions_of_trip * counts.trips;
    line.thread_instructions += (counts.warps > 0 ? machine * counts.lanes / counts.warps : 0) +
                                instructions_of_trip * counts.trip_lanes;
    work_.warp_instructions[class_of(x)] += machine;
    work_.warp_instructions[InstructionClass::atomic] += instructions_of_trip * counts.trips;
    work_.barriers += x.op == Op::bar ? counts.warps : 0;
    work_.retries += counts.trips - std::min(counts.trips, counts.warps);
    work_.prints += x.op == Op::other && program_.name_of(x).starts_with("call") ? counts.warps : 0;
    add_arithmetic(x, counts, line);
    add_access(number, counts, line);
  }

  void add_arithmetic(const Instruction& x, const InstructionCounts& counts, LineWork& line) {
    const std::string& name = program_.name_of(x);
    const Arithmetic of_lane = lane_arithmetic(x, name);
    Arithmetic& of_type = arithmetic_of_type(x, work_);
    of_type.add += counts.lanes * of_lane.add + counts.trip_lanes;
    of_type.mul += counts.lanes * of_lane.mul;
    of_type.fma += counts.lanes * of_lane.fma;
    const double of_tensor = counts.warps * warp_flops(x, name);
    if (x.op == Op::mma || x.op == Op::wgmma) {
      work_.by_tensor[tensor_pipe(name)] += Flops{of_tensor};
    }
    line.flops += lane_flops(x, name) * counts.lanes + counts.trip_lanes + of_tensor;
  }

  void add_access(std::int32_t number, const InstructionCounts& counts, LineWork& line) {
    const Instruction& x = program_.instructions[number];
    if (counts.sectors == 0 && counts.requests == 0 && counts.shared_requests == 0 &&
        counts.remote_sectors == 0 && counts.local_sectors == 0) {
      return;
    }
    work_.global_requests += counts.requests;
    work_.global_sectors += x.op == Op::cp_bulk ? 0 : counts.sectors;
    work_.remote_sectors += counts.remote_sectors;
    work_.local_sectors += counts.local_sectors;
    work_.shared_requests += counts.shared_requests;
    work_.shared_wavefronts += counts.wavefronts;
    work_.ideal_wavefronts += counts.ideal_wavefronts;
    line.requests += counts.requests;
    line.sectors += counts.sectors;
    line.wavefronts += counts.wavefronts;
    line.ideal_wavefronts += counts.ideal_wavefronts;
    work_.accesses.push_back({number, x.source, program_.name_of(x), counts, accesses_.ranges()[number],
                              first_of(accesses_.first_shared(), number),
                              first_of(accesses_.first_global(), number)});
  }

  static FirstRequest first_of(const std::map<std::int32_t, FirstRequest>& all, std::int32_t number) {
    const auto found = all.find(number);
    return found != all.end() ? found->second : FirstRequest{};
  }

  const Program& program_;
  const Counts& counts_;
  const Accesses& accesses_;
  MachineCounts machine_;
  KernelWork work_;
  std::map<SourceLine, LineWork> lines_;
};

std::string sentence(const Program& program, const ProgramLaunch& launch, const Finding& finding) {
  const Instruction& x = program.instructions[finding.instruction];
  const std::string who = fmt::format("{}: \"{}\" of lane {} of warp {}", place_of(program, x),
                                      program.name_of(x), finding.lane, finding.warp);
  switch (finding.kind) {
    case Finding::Kind::unknown_value:
      return who +
             " reads a value that nobody knows, and which decides an address or a branch; 0 stands for it.";
    case Finding::Kind::misaligned:
      return who + " has an address that is no multiple of its size.";
    case Finding::Kind::outside:
      break;
  }
  const std::uint64_t index = finding.address / window_bytes - 1;
  const std::string where =
      index < launch.buffers.size()
          ? fmt::format("{} is {} bytes from the start of {}, which has {}", who,
                        finding.address % window_bytes, launch.buffers[index].name, launch.buffers[index].bytes)
          : who + " is outside of every buffer";
  return where + (x.at_data ? ", with the data that are made up here: they decide its address." : ".");
}

std::vector<BeyondBuffer> beyond_buffers(const Program& program, const ProgramLaunch& launch,
                                         const std::vector<AccessWork>& accesses) {
  std::vector<BeyondBuffer> all;
  for (const AccessWork& access : accesses) {
    const auto [begin, end] = access.range;
    const std::uint64_t index = begin / window_bytes - 1;
    if (begin >= end || index >= launch.buffers.size() || begin / window_bytes != (end - 1) / window_bytes) {
      continue;
    }
    const DeviceBuffer& buffer = launch.buffers[index];
    const std::uint64_t needed = end - buffer_address(index);
    if (needed > buffer.bytes) {
      all.push_back({buffer.name, buffer.bytes, needed, program.instructions[access.instruction].at_data});
    }
  }
  return all;
}

// A counter in global memory says what a block does next: blocks that are run one after the other do all of it
// in the first one, and side by side about as much each.
bool hands_out_work(const Program& program) {
  return std::ranges::any_of(program.instructions, [](const Instruction& x) {
    return x.op == Op::atom && x.decides && x.space != Space::shared && (x.mode == 'a' || x.mode == 'i');
  });
}

}  // namespace

Flops KernelWork::flops(std::string_view pipe) const {
  const auto of = [](const Arithmetic& type, double numbers) {
    return Flops{numbers * (type.add + type.mul + 2 * type.fma)};
  };
  if (is_tensor(pipe)) {
    const auto found = by_tensor.find(std::string(pipe));
    return found == by_tensor.end() ? Flops{0} : found->second;
  }
  return pipe == fp64_pipe ? of(fp64, 1) : pipe == fp16_pipe ? of(fp16, 2) : of(fp32, 1);
}

Flops KernelWork::flops_below(std::string_view pipe) const {
  return is_tensor(pipe)
             ? flops(pipe)
             : flops(fp32_pipe) + flops(fp64_pipe) + (pipe == fp16_pipe ? flops(fp16_pipe) : Flops{});
}

KernelWork work_of(const Program& program, const ProgramLaunch& launch, const Budget& budget) {
  BlockRun run(program, launch, budget);
  Counts total(program);
  BlockCounts blocks(run, program);
  blocks.add_to(total, launch.launch.grid);
  KernelWork work = Totals(program, total, run.accesses()).work();
  const double instructions = total.instructions_of_warps(program);
  const bool is_shared_out = hands_out_work(program);
  work.busiest_warp = instructions > 0 && !is_shared_out
                          ? std::max(1.0, run.busiest_warp() * rooftile::warps_of(launch.launch) / instructions)
                          : 1;
  work.blocks_run = blocks.blocks();
  work.blocks_with_requests = blocks.with_requests();
  const Dim3 middle = telling_blocks(launch.launch.grid)[1];
  work.busiest_block = is_shared_out ? middle : blocks.busiest(middle);
  work.block_imbalance = is_shared_out ? 1 : blocks.imbalance();
  work.multiplied_trips = run.multiplied_trips();
  work.beyond = beyond_buffers(program, launch, work.accesses);
  if (work.prints > 0) {
    work.findings.push_back("It prints: what printf costs is not known, and is not in its time.");
  }
  if (work.local_sectors > 0) {
    work.findings.push_back(
        fmt::format("Each thread has {} bytes of local memory, for arrays that are indexed at run time. Its "
                    "bytes count at L1; "
                    "how many go on to L2 is not known.",
                    program.local_bytes - program.call_bytes));
  }
  std::set<std::tuple<Finding::Kind, std::string, std::int32_t>> told;  // the compiler unrolls loops
  for (const Finding& finding : run.accesses().findings()) {
    const Instruction& x = program.instructions[finding.instruction];
    if (told.emplace(finding.kind, place_of(program, x), x.name).second) {
      work.findings.push_back(sentence(program, launch, finding));
    }
  }
  return work;
}

}  // namespace rooftile::ptx
