#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "analysis/platform/private_folder.hpp"
#include "analysis/platform/write_file.hpp"

namespace rooftile::platform {

// Some file systems do not know RENAME_NOREPLACE.
void rename_new(const std::filesystem::path& from, const std::filesystem::path& to) {
  int failed = ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE);
  if (failed != 0 && errno == EINVAL && !std::filesystem::exists(std::filesystem::symlink_status(to))) {
    failed = ::rename(from.c_str(), to.c_str());
  }
  if (failed != 0) {
    throw NameTaken(fmt::format("{}: cannot be written: {}", to.string(), std::strerror(errno)));
  }
}

PrivateFolder::PrivateFolder(const std::filesystem::path& place) {
  std::string name = place.string() + ".part-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) {
    throw Error(fmt::format("{}: no folder can be made: {}", place.string(), std::strerror(errno)));
  }
  path_ = name;
}

PrivateFolder::~PrivateFolder() {
  std::error_code left_behind;
  std::filesystem::remove_all(path_, left_behind);
}

}  // namespace rooftile::platform
