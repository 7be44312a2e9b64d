// The instructions of a compiled kernel as text. NVIDIA publishes no library for that, so nvdisasm of the
// toolkit is run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/record/source_profile.hpp"

namespace rooftile::worker {

// The instructions of the kernel and of the functions that it calls, in order, without the padding at the end.
// Their counts are empty. Without nvdisasm, or for an architecture that it does not know, there are none.
std::vector<MachineInstruction> disassemble(const std::string& cubin, const std::string& symbol);

// The same of what `nvdisasm -c` writes.
std::vector<MachineInstruction> instructions_of(std::string_view listing, const std::string& symbol);

}  // namespace rooftile::worker
