// How each pipe is saturated: which microbenchmark, with which instruction, from which compute capability on.
#pragma once

#include <string>
#include <vector>

#include "analysis/gpu.hpp"
#include "kernels/worker/cuda/resources.hpp"

namespace rooftile::worker {

// One way to saturate a pipe.
struct Way {
  const char* pipe;
  ComputeCapability from, to;  // where it is the fastest one
  const char* file;
  const char* entry;
  std::vector<std::string> options;
  int threads;         // a block
  double operations;   // of one thread in one round
  Arguments operands;  // before the rounds
  std::string how;     // for the reader
};

// Every way there is; of those for one pipe the first that fits a device is its fastest.
const std::vector<Way>& ways();
// Empty where no microbenchmark is known.
const Way* find_way(const std::string& pipe, ComputeCapability cc);

}  // namespace rooftile::worker
