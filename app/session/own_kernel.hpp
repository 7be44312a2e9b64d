// From a CUDA source of somebody's own to a kernel: a first kernel.toml in a folder beside it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "analysis/manifest.hpp"
#include "app/session/source_reading.hpp"

namespace rooftile {

// Writes NAME/kernel.toml beside the source and returns it. Throws Error where there is one, where it cannot be
// written, and where the kernel takes what no argument is.
std::filesystem::path make_kernel(const std::string& name, const SourceKernel& kernel,
                                  const std::filesystem::path& source);

// Writes the folder NAME here: the files of this kernel and of its problem, which need no others. Returns its
// kernel.toml. Throws Error where there is one, and where it cannot be written.
std::filesystem::path copy_kernel(const std::string& name, const Manifest& original);

struct OwnKernel {
  std::filesystem::path folder;  // for --kernels
  std::string name;
};

bool is_source(const std::filesystem::path& file);  // "mine.cu"
// The kernel that is called as its source, where it has been made.
std::optional<OwnKernel> made_kernel(const std::filesystem::path& source);
// Makes it of what the compiler says, which may have to be waited for. Throws Error as make_kernel() and
// SourceReading do.
OwnKernel make_kernel(SourceReading& reading);
// Either. Throws Error likewise.
OwnKernel own_kernel(const std::vector<std::string>& worker, const std::filesystem::path& source);

}  // namespace rooftile
