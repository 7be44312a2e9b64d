// A folder of this user alone, that others see once it is whole.
#pragma once

#include <filesystem>

#include "analysis/text/error.hpp"

namespace rooftile::platform {

// Throws Error where something has that name, or it cannot be one.
void rename_new(const std::filesystem::path& from, const std::filesystem::path& to);

class PrivateFolder {
 public:
  // Made beside the place, under a name that nothing else has. Throws Error where none can be made.
  explicit PrivateFolder(const std::filesystem::path& place);
  ~PrivateFolder();  // removed with all it holds, unless it was renamed
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace rooftile::platform
