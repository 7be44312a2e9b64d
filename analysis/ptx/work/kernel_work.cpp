#include "analysis/ptx/work/kernel_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "analysis/chip/pipe.hpp"
#include "analysis/ptx/program/instruction_flops.hpp"
#include "analysis/ptx/program/program_analysis.hpp"
#include "analysis/ptx/work/machine_instructions.hpp"
#include "analysis/ptx/work/sampled_blocks.hpp"

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

// By the type of its inputs, which the name holds.
std::string tensor_pipe(std::string_view name) {
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

double* arithmetic_of(const Instruction& x, KernelWork& work) {
  Arithmetic& type = x.type.bytes == 8                         ? work.fp64
                     : x.type.kind == 'f' && x.type.bytes == 4 ? work.fp32
                                                               : work.fp16;
  switch (x.op) {
    case Op::add:
    case Op::sub:
      return &type.add;
    case Op::mul:
      return &type.mul;
    case Op::fma:
    case Op::mad:
      return &type.fma;
    default:
      return nullptr;
  }
}

class Totals {
 public:
  Totals(const Program& program, const Counts& counts, const Accesses& accesses)
      : program_(program), counts_(counts), accesses_(accesses), of_machine_(machine_instructions(program)) {}

  KernelWork work() {
    for (std::size_t block = 0; block < program_.blocks.size(); ++block) {
      for (std::int32_t i = program_.blocks[block].begin; i < program_.blocks[block].end; ++i) {
        add(i, block);
      }
    }
    work_.divergent_branches = counts_.divergent_branches;
    for (auto& [source, line] : lines_) {
      work_.lines.push_back(line);
    }
    return std::move(work_);
  }

 private:
  void add(std::int32_t number, std::size_t block) {
    const Instruction& x = program_.instructions[number];
    InstructionCounts counts = counts_.instructions[number];
    work_.rounds += counts.waits;
    if (x.guard < 0 || x.op == Op::bra) {
      counts.warps = counts_.block_warps[block];
      counts.lanes = counts_.block_lanes[block];
    }
    LineWork& line = lines_[x.source];
    line.source = x.source;
    line.warp_instructions += of_machine_[number] * counts.warps;
    line.thread_instructions += of_machine_[number] * counts.lanes;
    work_.warp_instructions[class_of(x)] += of_machine_[number] * counts.warps;
    work_.barriers += x.op == Op::bar ? counts.warps : 0;
    add_arithmetic(x, counts, line);
    add_access(number, counts, line);
  }

  void add_arithmetic(const Instruction& x, const InstructionCounts& counts, LineWork& line) {
    const bool is_float = x.type.kind == 'f' || x.type.kind == 'h' || x.type.kind == 'x';
    if (double* of_type = is_float ? arithmetic_of(x, work_) : nullptr) {
      const double numbers = x.type.kind == 'x' ? 1 : x.type.bytes == 2 ? 0.5 : 1;
      *of_type += numbers * counts.lanes;
    }
    const std::string& name = program_.name_of(x);
    const double of_tensor = counts.warps * warp_flops(x, name);
    if (x.op == Op::mma || x.op == Op::wgmma) {
      work_.by_tensor[tensor_pipe(name)] += Flops{of_tensor};
    }
    line.flops += lane_flops(x) * counts.lanes + of_tensor;
  }

  void add_access(std::int32_t number, const InstructionCounts& counts, LineWork& line) {
    const Instruction& x = program_.instructions[number];
    if (counts.requests == 0 && counts.shared_requests == 0 && counts.remote_sectors == 0) {
      return;
    }
    work_.global_requests += counts.requests;
    work_.global_sectors += counts.sectors;
    work_.remote_sectors += counts.remote_sectors;
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
  const std::vector<std::uint8_t> of_machine_;
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

// Where the blocks at both ends and in the middle do the same, all others do so, too.
int run_blocks(BlockRun& run, const Program& program, const Dim3& grid, Counts& total) {
  constexpr int telling = 3;
  Counts first(program), of_block(program);
  auto left = static_cast<double>(grid.count());
  bool alike = true;
  int blocks = 0;
  for (const SampledBlock& block : sampled_blocks(grid)) {
    if (blocks == telling && alike) {
      total.add(first, left);
      break;
    }
    of_block.clear();
    run.run(block.at, of_block);
    total.add(of_block, block.weight);
    left -= block.weight;
    first = blocks == 0 ? of_block : first;
    alike = alike && of_block == first;
    ++blocks;
  }
  return blocks;
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

KernelWork work_of(const Program& program, const ProgramLaunch& launch, const Budget& budget) {
  BlockRun run(program, launch, budget);
  Counts total(program);
  const int blocks = run_blocks(run, program, launch.launch.grid, total);
  KernelWork work = Totals(program, total, run.accesses()).work();
  work.blocks_run = blocks;
  work.multiplied_trips = run.multiplied_trips();
  work.beyond = beyond_buffers(program, launch, work.accesses);
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
