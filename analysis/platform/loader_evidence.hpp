// Evidence of a library that a program should have loaded and did not.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/platform/write_file.hpp"

namespace rooftile::platform {

// The loader's words if another program, with this one's environment, cannot load the library; empty if it can.
std::string loaders_refusal(const std::filesystem::path& library);

// The places where the loader looks for a file of this name, as far as there is one: LD_LIBRARY_PATH and the
// system's folders.
std::vector<std::filesystem::path> library_places(std::string_view file);

// Notices any program that opens one of these files.
class OpenWatch {
 public:
  explicit OpenWatch(std::vector<std::filesystem::path> files);
  // Since this was made, by any program of the machine.
  bool was_opened();
  // None of the files is there.
  bool is_empty() const { return files_.empty(); }

 private:
  std::vector<std::filesystem::path> files_;
  Descriptor events_;
  bool opened_ = false;
};

}  // namespace rooftile::platform
