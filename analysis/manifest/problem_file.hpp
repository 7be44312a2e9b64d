// The format of problem.toml: what the kernels of a family share, in the keys of kernel.toml, and a table
// [problem.NAME] per problem with what only its kernels share. A kernel.toml that names its problem states the
// rest, and may restate what differs.
#pragma once

#include <filesystem>

#include "analysis/manifest/manifest.hpp"
#include "analysis/text/toml_table.hpp"

namespace rooftile {

// The problem.toml of a kernel.toml: beside it, else in the folder above, where it may be missing.
std::filesystem::path problem_file_of(const std::filesystem::path& kernel, const ReadFile& read);

// Completes a kernel.toml that names a problem with what its problem.toml states. Tells of a kernel that
// contradicts it. False for a problem that is not there, which is told too: then nothing else can be said of
// the kernel.
bool complete_by_problem(toml::table& kernel, const std::filesystem::path& file, const ReadFile& read,
                         TomlMistakes& mistakes);

}  // namespace rooftile
