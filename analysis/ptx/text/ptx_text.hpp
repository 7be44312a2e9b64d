// PTX as NVRTC and nvcc write it, to a program.
#pragma once

#include <string_view>

#include "analysis/ptx/program/program.hpp"

namespace rooftile::ptx {

// entry: the symbol of a kernel; empty: the first one. Throws Error with the line for what is not PTX.
Program parse_ptx(std::string_view ptx, std::string_view entry = {},
                  std::vector<MachineBlock> machine_code = {});

}  // namespace rooftile::ptx
