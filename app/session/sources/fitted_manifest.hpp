// A first kernel.toml whose guesses hold against the compiled code.
#pragma once

#include <filesystem>
#include <string>

#include "analysis/source/kernels/source_kernels.hpp"

namespace rooftile {

// Calls new_manifest() and corrects its guesses; file: where its text will stand. The interpreter runs a few
// blocks: a buffer that is too short for them gets more elements, and numbers that decide an address get
// smaller.
std::string fitted_manifest(const SourceKernel& kernel, const std::filesystem::path& source,
                            const std::filesystem::path& file, const std::string& code);

}  // namespace rooftile
