// The microbenchmark that saturates each pipe of an architecture, and its instruction.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/chip/architecture.hpp"
#include "kernels/worker/cuda/resources.hpp"

namespace rooftile::worker {

struct PipeBenchmark {
  std::string pipe;
  std::string file;  // in device_code/
  std::string entry;
  std::vector<std::string> options;
  int threads;         // per block
  double operations;   // of one thread in one round
  Arguments operands;  // before the rounds
  std::string how;     // for the reader: "wgmma.m64n128k16 ..."
};

// Empty where no microbenchmark is known.
std::optional<PipeBenchmark> pipe_benchmark(const std::string& pipe, const Architecture& architecture);

}  // namespace rooftile::worker
