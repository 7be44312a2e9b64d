// The parameters of a compiled kernel, read from its cubin: the driver does not check what it launches with.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/manifest/manifest.hpp"

namespace rooftile::worker {

// The bytes of each parameter, in order. Empty if the cubin does not describe such a kernel.
std::optional<std::vector<int>> parameter_sizes(std::string_view cubin, const std::string& symbol);

// A sentence on why the kernel, called `entry` by people, cannot be launched with these arguments; empty if it
// can.
std::optional<std::string> why_not_given(const std::vector<Argument>& arguments, std::string_view cubin,
                                         const std::string& symbol, const std::string& entry);

}  // namespace rooftile::worker
