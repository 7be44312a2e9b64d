#include "analysis/platform/text_file.hpp"

#include <fstream>
#include <iterator>
#include <system_error>

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

void write_text(const fs::path& file, const std::string& text) {
  const fs::path part = file.string() + ".part";
  std::ofstream out(part, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  std::error_code failure;
  if (out) {
    fs::rename(part, file, failure);
  }
  if (!out || failure) {
    throw Error(file.string() + ": cannot be written");
  }
}

}  // namespace rooftile::platform
