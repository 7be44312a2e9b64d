// The instructions of a compiled kernel as text. NVIDIA publishes no library for that, so nvdisasm of the
// toolkit is run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/record/source_profile.hpp"

namespace rooftile::worker {

// Those of the kernel and of what it calls, in order, without the padding at their end. Nothing is counted of
// them yet. Empty where there is no nvdisasm, or it does not know the architecture.
std::vector<MachineInstruction> disassemble(const std::string& cubin, const std::string& symbol);

// The same of what `nvdisasm -c` writes.
std::vector<MachineInstruction> instructions_of(std::string_view listing, const std::string& symbol);

}  // namespace rooftile::worker
