// From a CUDA source of somebody's own to a kernel: a first kernel.toml in a folder beside it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analysis/source_kernels.hpp"

namespace rooftile {

// What the worker's compiler says of the source. wanted: of several kernels the one that is meant, of a
// template the instance; empty: its only one. Throws Error with the compiler's words, or with the names to
// choose from.
SourceKernel kernel_in_source(const std::vector<std::string>& worker, const std::filesystem::path& source,
                              const std::string& wanted);

// Writes NAME/kernel.toml beside the source and returns it. Throws Error where there is one, where it cannot be
// written, and where the kernel takes what no argument is.
std::filesystem::path make_kernel(const std::string& name, const SourceKernel& kernel,
                                  const std::filesystem::path& source);

struct OwnKernel {
  std::filesystem::path folder;  // for --kernels
  std::string name;
};

bool is_source(const std::filesystem::path& file);  // "mine.cu"
// The kernel that is called as its source; made where there is none yet. Throws Error likewise.
OwnKernel own_kernel(const std::vector<std::string>& worker, const std::filesystem::path& source);

}  // namespace rooftile
