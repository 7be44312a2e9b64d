// Why a compiled kernel cannot be launched as its manifest says: the driver does not check it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/manifest/manifest.hpp"
#include "kernels/worker/cubin/cubin.hpp"

namespace rooftile::worker {

// A sentence on why the kernel, called `entry` by people, cannot be launched with these arguments; empty if it
// can.
std::optional<std::string> why_not_given(const std::vector<Argument>& arguments, std::string_view cubin,
                                         const std::string& symbol, const std::string& entry);

// A sentence on why these variables cannot be filled; empty if they can.
std::optional<std::string> why_not_filled(const std::vector<Buffer>& globals, std::string_view cubin,
                                          const std::string& entry);

}  // namespace rooftile::worker
