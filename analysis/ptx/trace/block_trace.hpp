// One block of a launch, request by request: what each access asks of memory at each step.
#pragma once

#include <string>
#include <vector>

#include "analysis/ptx/run/request_trace.hpp"
#include "analysis/ptx/work/derived_model.hpp"

namespace rooftile::ptx {

// One access of the source. The compiler unrolls loops: instructions of one line that differ in nothing but
// their place are one.
struct TracedAccess {
  std::string name;  // the manifest's where it describes the access, else after its line
  std::string line;  // of the source; may be empty
  bool shared = false, store = false, atomic = false;
  int width_bytes = 4;  // of a lane
  int buffer = -1;      // of global memory; -1: a variable
  double requests = 0, wavefronts = 0,
         sectors = 0;  // of all warps; wavefronts of shared memory, sectors of global
  std::vector<std::vector<std::uint32_t>> steps = {};  // by warp: its requests, in order
};

struct TracedBuffer {
  std::string name;
  std::uint64_t bytes = 0;
  int element_bytes = 4;
};

// Two lanes touch a word of shared memory with no barrier or __syncwarp() between, and one of them writes it.
struct TracedRace {
  std::int64_t word = 0;  // its address is 4 times as large
  Touch earlier, later;
  std::size_t earlier_access = 0, later_access = 0;  // among those of the trace
};

struct BlockTrace {
  Dim3 block;  // its place in the grid
  int warps = 0;
  bool is_whole = true;  // else each warp has more requests than were kept
  RequestTrace requests;
  std::vector<TracedAccess> accesses;  // in the order of the code
  std::vector<TracedBuffer> buffers;
  std::vector<TracedRace> races;  // each word once

  const TracedAccess* find(bool shared, const std::string& name) const;  // null: none
  const TracedRequest& request(const TracedAccess& access, int warp, std::size_t step) const {
    return requests.requests[access.steps[static_cast<std::size_t>(warp)][step]];
  }
};

// Runs the block in the middle of the grid. Throws Error, in a sentence with the line, for what is not
// followed.
BlockTrace block_trace(const Program& program, const ProgramLaunch& launch);
// Names accesses as the model does, and else after the lines of the source.
BlockTrace block_trace(const CompiledLaunch& code, const StatedLaunch& stated);

}  // namespace rooftile::ptx
