// What a compiled kernel takes, read from its cubin: the driver launches with whatever it is given.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/manifest/manifest.hpp"

namespace rooftile::worker {

// The bytes of each parameter, in order. Empty where the cubin does not describe such a kernel.
std::optional<std::vector<int>> parameter_sizes(std::string_view cubin, const std::string& symbol);

// Why the kernel, called `entry` by people, cannot be launched with these arguments, in a sentence; empty where
// it can.
std::optional<std::string> why_not_given(const std::vector<Argument>& arguments, std::string_view cubin,
                                         const std::string& symbol, const std::string& entry);

}  // namespace rooftile::worker
