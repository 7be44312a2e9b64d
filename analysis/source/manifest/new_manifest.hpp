// A first kernel.toml for a source of a user's own. Types are the compiler's; block and grid are those of the
// launch that stands in the source. The rest is a guess for the user to correct, and the text says so.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "analysis/source/kernels/source_kernels.hpp"

namespace rooftile {

// source: as the manifest names it, seen from its folder; code: its text. Throws Error where a parameter has a
// type that no argument has, such as a struct.
std::string new_manifest(const SourceKernel& kernel, const std::filesystem::path& source,
                         std::string_view code);

}  // namespace rooftile
