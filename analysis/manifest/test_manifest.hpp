// A kernel.toml to read, and what reading it complains of.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "analysis/manifest/manifest.hpp"
#include "analysis/text/error.hpp"

namespace rooftile::test {

inline constexpr const char* copy_manifest = R"toml(title = "Copy"
idea = "moves floats"
source = "copy.cu"
entry = "copy"

[[parameter]]
name = "BLOCK"
values = [32, 64, 128]
default = 64

[[parameter]]
name = "N"
role = "size"
values = [1024]
range = [1, 4096]
default = 1024

[[constraint]]
require = "N >= BLOCK"
reason = "A block must not be larger than the array."

[[buffer]]
name = "data"
count = "N"
role = "in_out"

[launch]
arguments = [{ buffer = "data" }, { int = "N" }]
grid = "ceil_div(N, BLOCK)"
block = ["BLOCK"]

[work]
elements = "N"
elements_label = "elements moved"

[traffic]
compulsory_dram = "8 * N"
)toml";

using Files = std::map<std::filesystem::path, std::string>;

inline ReadFile reader(const Files& files) {
  return [files](const std::filesystem::path& file) {
    const auto found = files.find(file);
    return found == files.end() ? std::nullopt : std::optional(found->second);
  };
}

inline Manifest read(const std::string& manifest) {
  return read_manifest("copy/kernel.toml", reader({{"copy/kernel.toml", manifest}, {"copy/copy.cu", ""}}));
}

// The complaint about the copy kernel once `before` has been replaced by `after`.
inline std::string complaint(const std::string& before, const std::string& after) {
  std::string text = copy_manifest;
  text.replace(text.find(before), before.size(), after);
  try {
    read(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "no complaint";
}

inline std::string message_of(const std::string& text) {
  try {
    read(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace rooftile::test
