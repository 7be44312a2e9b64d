// The PTX of one place of a kernel, from the worker to who asked with a compile request.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/ptx/program/machine_block.hpp"

namespace rooftile {

struct KernelPtx {
  std::uint64_t id = 0;     // of the request
  std::string symbol = {};  // the kernel's name in it
  std::string ptx = {};
  std::optional<std::string> failure;           // why there is none
  std::vector<MachineBlock> machine_code = {};  // what ptxas makes of it; empty where the cubin does not tell
  bool operator==(const KernelPtx&) const = default;
};

// One line of JSON. parse throws Error where it is none.
std::string to_line(const KernelPtx& answer);
KernelPtx parse_kernel_ptx(std::string_view line);

}  // namespace rooftile
