// A first kernel.toml for a source of a user's own. Types are the compiler's; block and grid are those of the
// launch that stands in the source. The rest is a guess for the user to correct, and the text says so.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "analysis/source/code/source_kernels.hpp"

namespace rooftile {

// source: as the manifest names it, seen from its folder; code: its text. Throws Error where a parameter has a
// type that no argument has, such as a struct.
std::string new_manifest(const SourceKernel& kernel, const std::filesystem::path& source,
                         std::string_view code);

// The lines of a [[parameter]], and of a [[buffer]], with first guesses. sides: of the problem that it is a
// size of: a row, a square, a cube; value: that the source gives.
std::string dial_lines(const SourceMacro& macro);
std::string size_lines(const std::string& name, int sides = 2, std::optional<double> value = {});
std::string scalar_lines(const std::string& name, double value = 1);
std::string buffer_lines(const std::string& name, std::string_view element, const std::string& count,
                         std::string_view role);

// Whether its first line still says that it is made of guesses; and the same text, confirmed by a person.
bool holds_guesses(std::string_view manifest);
std::string without_guesses(std::string manifest);
// The origin of its grid and block, from its first line: "as in line 57 of mine.cu", "a guess". Empty once a
// person has confirmed them.
std::string launch_origin(std::string_view manifest);

}  // namespace rooftile
