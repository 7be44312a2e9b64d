// The parameters of a compiled kernel and the variables of its source, read from its cubin: the driver does not
// check what it launches with.
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

// A __constant__ or __device__ variable.
struct CubinVariable {
  std::string symbol, name;  // "_ZN4ours5tableE", "ours::table"
  std::size_t bytes = 0;
  bool is_zero = false;  // it begins with zeros
};
// Literals of the compiler's own are none of them.
std::vector<CubinVariable> variables_in(std::string_view cubin);

// A sentence on why these variables cannot be filled; empty if they can.
std::optional<std::string> why_not_filled(const std::vector<Buffer>& globals, std::string_view cubin,
                                          const std::string& entry);

}  // namespace rooftile::worker
