// A kernel's name and the types of its parameters, as a demangler writes them.
#pragma once

#include <string>

#include "analysis/source/kernels/source_kernels.hpp"

namespace rooftile::worker {

// "ours::sum(float const*, int)"; of an instance with its result in front: "void reduce<float, 256>(float*)".
SourceKernel signature(const std::string& text);

}  // namespace rooftile::worker
