// A first kernel.toml whose guesses hold against the compiled code.
#pragma once

#include <filesystem>
#include <string>

#include "analysis/source/kernels/source_kernels.hpp"

namespace rooftile {

// As new_manifest(), for a file of this name. A few blocks are run by the interpreter: a buffer that was
// guessed too short for them grows, and numbers that decide an address are guessed smaller.
std::string fitted_manifest(const SourceKernel& kernel, const std::filesystem::path& source,
                            const std::filesystem::path& file, const std::string& code);

}  // namespace rooftile
