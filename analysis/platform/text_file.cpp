#include "analysis/platform/text_file.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "analysis/error.hpp"
#include "analysis/format.hpp"

namespace rooftile::platform {

namespace fs = std::filesystem;

std::optional<std::string> read_text(const fs::path& file) {
  if (!fs::exists(file)) {
    return std::nullopt;
  }
  if (!fs::is_regular_file(file)) {
    throw Error(fmt::format("cannot read {}: it is a folder or a device", file.string()));
  }
  if (const auto size = fs::file_size(file); size > most_text) {
    throw Error(fmt::format("cannot read {}: it has {}, and at most {} are read", file.string(),
                            text(Bytes{static_cast<double>(size)}),
                            text(Bytes{static_cast<double>(most_text)})));
  }
  std::ifstream stream(file, std::ios::binary);
  if (!stream.is_open()) {
    throw Error("cannot read " + file.string());
  }
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

}  // namespace rooftile::platform
