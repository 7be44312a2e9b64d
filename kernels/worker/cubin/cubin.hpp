// The contents of a cubin besides its code: the parameters of its kernels, what they take, and its variables.
// The driver does not check what it launches with. Nothing outside the bytes is read, whatever they are.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rooftile::worker {

struct KernelParameter {
  int bytes = 0;
  int offset = 0;  // among all of them, as a program packs them
  bool operator==(const KernelParameter&) const = default;
};
// In order. Empty if the cubin does not describe such a kernel.
std::optional<std::vector<KernelParameter>> parameters_of(std::string_view cubin, const std::string& symbol);

// Their symbols.
std::vector<std::string> kernel_symbols(std::string_view cubin);

struct CubinFigures {
  int registers = 0, static_shared_bytes = 0, local_bytes = 0;
};
CubinFigures figures_of(std::string_view cubin, const std::string& symbol);

// A __constant__ or __device__ variable.
struct CubinVariable {
  std::string symbol, name;  // "_ZN4ours5tableE", "ours::table"
  std::size_t bytes = 0;
  bool is_zero = false;  // it begins with zeros
};
// Literals of the compiler's own are none of them.
std::vector<CubinVariable> variables_in(std::string_view cubin);

}  // namespace rooftile::worker
