// The work of a launch, derived from its compiled code. Nothing here is measured.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/ptx/program/instruction_flops.hpp"
#include "analysis/ptx/program/program.hpp"
#include "analysis/ptx/run/accesses.hpp"
#include "analysis/ptx/run/block_run.hpp"
#include "analysis/ptx/run/memory.hpp"
#include "analysis/text/units.hpp"

namespace rooftile::ptx {

enum class InstructionClass {
  fp32,
  fp64,
  fp16,
  tensor,
  whole,
  special,
  convert,
  move,
  load,
  store,
  atomic,
  control
};

// One access of the code to memory, in the launch.
struct AccessWork {
  std::int32_t instruction = 0;  // of the program
  SourceLine source;
  std::string name;  // "ld.global.v4.f32"
  InstructionCounts counts;
  AddressRange range;                       // of global memory, from the first block of the grid to the last
  FirstRequest first_shared, first_global;  // of the first warp of a block
};

// One line of the source, in the launch.
struct LineWork {
  SourceLine source;
  double warp_instructions = 0, thread_instructions = 0, flops = 0;
  double requests = 0, sectors = 0;  // of global memory
  double wavefronts = 0, ideal_wavefronts = 0;
};

// Accesses of a buffer that end behind its last byte.
struct BeyondBuffer {
  std::string buffer;
  std::uint64_t bytes = 0, needed = 0;  // that it has, and up to the end of the last access
  bool at_data = false;                 // numbers that were loaded decide where
};

struct KernelWork {
  Arithmetic fp32, fp64, fp16;             // thread instructions; fp16: of two numbers each
  std::map<std::string, Flops> by_tensor;  // by pipe
  double global_requests = 0, global_sectors = 0;
  double remote_sectors = 0;  // of the shared memory of other blocks of the cluster
  double local_sectors = 0;   // of the lanes' own memory; what of it leaves L1 is not known
  double shared_requests = 0, shared_wavefronts = 0, ideal_wavefronts = 0;
  std::map<InstructionClass, double> warp_instructions;  // of the machine, by what they were made of in the PTX
  double barriers = 0;                                   // warp instructions
  double divergent_branches = 0;                         // warps that part at one
  double rounds = 0;        // of loads and copies of global memory, summed over warps
  double copies_ahead = 0;  // rounds of copies that are under way while one is waited for
  std::vector<AccessWork> accesses;
  std::vector<LineWork> lines;        // in order
  std::vector<std::string> findings;  // a sentence each: an access outside of its buffer...
  std::vector<BeyondBuffer> beyond;
  double busiest_warp = 1;       // its instructions, as a multiple of the average
  double block_imbalance = 1;    // instructions of the block that does most, as a multiple of the average
  double prints = 0;             // warps that call printf, whose instructions and bytes are not counted
  double retries = 0;            // of warps that add floats to a word which several of their lanes add to
  double code_instructions = 0;  // of the machine, that any warp executes
  int blocks_run = 0;
  double blocks_with_requests = 0;  // of the grid, that access global memory
  Dim3 busiest_block;               // of those that were run: the middle one of the grid where blocks do alike
  std::int64_t multiplied_trips = 0;  // of loops, of one warp each, that repeated others and were not run

  Flops flops(std::string_view pipe) const;  // on it alone
  // All that stands below the roof of a pipe, as counters have it: outside of tensor cores FP32 and FP64
  // together, and FP16 where it is the pipe.
  Flops flops_below(std::string_view pipe) const;
};

// Throws Error, in a sentence, for what is not followed.
KernelWork work_of(const Program& program, const ProgramLaunch& launch, const Budget& budget = {});

}  // namespace rooftile::ptx
