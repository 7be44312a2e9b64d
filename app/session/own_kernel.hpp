// From a CUDA source of somebody's own to a kernel: a first kernel.toml in a folder beside it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "analysis/manifest/manifest.hpp"
#include "app/session/source_reading.hpp"

namespace rooftile {

// Writes NAME/kernel.toml beside the source and returns it. Throws Error where there is one, where it cannot be
// written, and where the kernel takes what no argument is.
std::filesystem::path make_kernel(const std::string& name, const SourceKernel& kernel,
                                  const std::filesystem::path& source);

// Writes the folder NAME here: the files of this kernel and of its problem, which need no others. Returns its
// kernel.toml. Throws Error where one of these files is there already, before any is written, and where one
// cannot be written.
std::filesystem::path copy_kernel(const std::string& name, const Manifest& original);

struct OwnKernel {
  std::filesystem::path folder;  // for --kernels
  std::string name;
};

bool is_source(const std::filesystem::path& file);  // "mine.cu", or a header, "mine.cuh"
// The kernels that were made of this source, in folders beside it; the one whose kernel.toml was saved last
// comes first.
std::vector<OwnKernel> made_kernels(const std::filesystem::path& source);
// Makes the kernel, or finds that it was made before. Its folder is called as the source; where the kernel was
// named, because the source has several or templates, as the kernel: "sum", of another instance "sum_2". Throws
// Error where it cannot be written, and where the kernel takes what no argument is.
enum class Named { no, yes };
OwnKernel make_kernel(const SourceKernel& kernel, const std::filesystem::path& source, Named named);
// The newest of those that were made, else its only kernel, which the compiler may have to be waited for.
// Throws Error as make_kernel() and SourceReading do, which ends a compiler that reads for longer than the
// limit. folder: where a new one is written instead of beside the source, for who only asks.
OwnKernel own_kernel(const std::vector<std::string>& worker, const std::filesystem::path& source,
                     std::chrono::milliseconds limit = usual_launch_limit,
                     const std::optional<std::filesystem::path>& folder = {});

}  // namespace rooftile
