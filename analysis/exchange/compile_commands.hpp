// compile_commands.json, which CMake and others write: how a project compiles its sources.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace rooftile {

struct CompileOptions {
  std::vector<std::filesystem::path> include_folders;
  std::vector<std::string> options;  // "-DTILE=16", "-std=c++20", "-use_fast_math"
  bool operator==(const CompileOptions&) const = default;
};

// The options of this source, or of another source in its folder; empty where the file names neither. source:
// an absolute path. Throws Error where the text is no such file.
CompileOptions compile_options(std::string_view json, const std::filesystem::path& source);

}  // namespace rooftile
