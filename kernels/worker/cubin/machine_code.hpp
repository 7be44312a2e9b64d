// The machine's code of a kernel, cut into basic blocks, each instruction with the line of PTX that it came
// from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/chip/gpu.hpp"
#include "analysis/record/kernel_ptx.hpp"

namespace rooftile::worker {

// Needs what -lineinfo leaves in a cubin; empty without, and before compute capability 7.0, whose instructions
// are written otherwise. What only runs for numbers that a division or root finds too large or small is left
// out.
std::vector<MachineBlock> machine_code(std::string_view cubin, const std::string& symbol, ComputeCapability cc);

}  // namespace rooftile::worker
