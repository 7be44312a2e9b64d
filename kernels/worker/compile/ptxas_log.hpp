// The messages of ptxas about a kernel, with --ptxas-options=-v.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/record/point.hpp"

namespace rooftile::worker {

// Registers, static shared memory, barriers, stack and spills of one entry. Empty when the log does not
// describe it.
std::optional<Compiled> parse_ptxas_log(const std::string& log, const std::string& entry);

// The symbols of all kernels that it describes.
std::vector<std::string> kernels_in(const std::string& log);

}  // namespace rooftile::worker
