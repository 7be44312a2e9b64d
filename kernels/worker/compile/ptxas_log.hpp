// What ptxas says of a kernel with --ptxas-options=-v.
#pragma once

#include <optional>
#include <string>

#include "analysis/point.hpp"

namespace rooftile::worker {

// Registers, static shared memory, barriers, stack and spills of one entry. Empty when the log does not
// describe it.
std::optional<Compiled> parse_ptxas_log(const std::string& log, const std::string& entry);

}  // namespace rooftile::worker
