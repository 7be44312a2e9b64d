// A first kernel.toml for a source of a user's own. Types are the compiler's; block and grid are those of the
// launch that stands in the source. The rest is a guess for the user to correct, and the text says so.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "analysis/source/kernels/source_kernels.hpp"

namespace rooftile {

// Corrections of the guesses, from the compiled code. The keys are names of buffers.
struct BufferFit {
  std::map<std::string, int> times;     // it has so many times the elements that were guessed
  std::map<std::string, int> fraction;  // its numbers are below 1/n of what was guessed
  int smaller = 1;                      // sizes without a value are 1/n of what is usual
  bool operator==(const BufferFit&) const = default;
};

// source: as the manifest names it, seen from its folder; code: its text. Throws Error where a parameter has a
// type that no argument has, such as a struct.
std::string new_manifest(const SourceKernel& kernel, const std::filesystem::path& source, std::string_view code,
                         const BufferFit& fit = {});

}  // namespace rooftile
