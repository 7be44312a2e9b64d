#include "analysis/platform/text_file.hpp"

#include <fstream>
#include <iterator>

#include "analysis/error.hpp"

namespace rooftile::platform {

namespace fs = std::filesystem;

std::optional<std::string> read_text(const fs::path& file) {
  if (!fs::exists(file)) {
    return std::nullopt;
  }
  std::ifstream stream(file, std::ios::binary);
  if (!stream.is_open() || fs::is_directory(file)) {
    throw Error("cannot read " + file.string());
  }
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

}  // namespace rooftile::platform
