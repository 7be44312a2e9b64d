// Structs among a kernel's parameters as the compiler lays them out, from the debug information in its PTX
// (DWARF 2, as nvcc -G and NVRTC -G write it).
#pragma once

#include <string_view>
#include <vector>

#include "analysis/source/kernels/source_kernels.hpp"

namespace rooftile::ptx {

// For each parameter of the kernel the layout of its type, or of what it points to; one of 0 bytes for a
// number. Empty where the PTX does not describe the kernel.
std::vector<StructLayout> parameter_layouts(std::string_view ptx, std::string_view symbol);

}  // namespace rooftile::ptx
