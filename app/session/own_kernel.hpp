// From a CUDA source of somebody's own to a kernel: a first kernel.toml in a folder beside it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "analysis/manifest/manifest.hpp"
#include "app/session/source_reading.hpp"

namespace rooftile {

// Writes NAME/kernel.toml beside the source and returns it. Throws Error if there is one already, if it cannot
// be written, or if the kernel has a parameter that no manifest can give.
std::filesystem::path make_kernel(const std::string& name, const SourceKernel& kernel,
                                  const std::filesystem::path& source);

// Likewise beside the search space of a tuner, of whose kernel it is. Throws Error naming what of the space
// cannot be read.
std::filesystem::path make_kernel_of_space(const std::string& name, const std::filesystem::path& space);

// Writes the folder NAME here: the files of this kernel and of its problem, which need no others. Returns its
// kernel.toml. Throws Error where one of these files is there already, before any is written, and where one
// cannot be written.
std::filesystem::path copy_kernel(const std::string& name, const Manifest& original);

struct OwnKernel {
  std::filesystem::path folder;  // for --kernels
  std::string name;
};

// A folder with a kernel.toml, such as that of a captured launch, which is no bundled kernel.
std::optional<OwnKernel> kernel_in(const std::filesystem::path& folder);

bool is_source(const std::filesystem::path& file);  // "mine.cu", or a header, "mine.cuh"
// Says what a file of another language is, and what to do with it; empty for other names.
std::string why_no_source(const std::filesystem::path& file);
// The kernels that were made of this source, in folders beside it; the one whose kernel.toml was saved last
// comes first.
std::vector<OwnKernel> made_kernels(const std::filesystem::path& source);
// Makes the kernel, or finds that it was made before. Its folder has the name of the source. If the kernel was
// named, because the source has several or templates, the folder has the name of the kernel: "sum", and for
// another instance "sum_2". Throws Error if it cannot be written, or if the kernel has a parameter that no
// manifest can give.
enum class Named { no, yes };
OwnKernel make_kernel(const SourceKernel& kernel, const std::filesystem::path& source, Named named);
// The newest kernel that was made of the source, else its only kernel, for which the compiler may have to read
// the source. Throws Error as make_kernel() and SourceReading do; a compiler that reads for longer than the
// limit is ended. folder: where a new kernel is written instead of beside the source. given: folders of headers
// and macros for a new kernel; refused for a kernel that was made before, whose kernel.toml has its own.
// wanted: which of several kernels; empty: the one that needs no name.
OwnKernel own_kernel(const std::vector<std::string>& worker, const std::filesystem::path& source,
                     std::chrono::milliseconds limit = usual_launch_limit,
                     const std::optional<std::filesystem::path>& folder = {}, const CompileOptions& given = {},
                     const std::string& wanted = {});

}  // namespace rooftile
