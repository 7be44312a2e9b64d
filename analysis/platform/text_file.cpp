#include "analysis/platform/text_file.hpp"

#include <fmt/format.h>

#include <fstream>

#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"

namespace rooftile::platform {

namespace fs = std::filesystem;

namespace {

std::optional<std::string> read_whole(const fs::path& file, std::uintmax_t most) {
  std::error_code failure;
  const fs::file_status status = fs::status(file, failure);
  if (status.type() == fs::file_type::not_found) {
    return std::nullopt;
  }
  if (fs::status_known(status) && !fs::is_regular_file(status)) {
    throw Error(fmt::format("cannot read {}: it is a folder or a device", file.string()));
  }
  const std::uintmax_t size = failure ? 0 : fs::file_size(file, failure);
  if (failure) {  // links that lead in a circle, say
    throw Error(fmt::format("cannot read {}: {}", file.string(), failure.message()));
  }
  if (size > most) {
    throw Error(fmt::format("cannot read {}: it has {}, and at most {} are read", file.string(),
                            text(Bytes{static_cast<double>(size)}), text(Bytes{static_cast<double>(most)})));
  }
  std::ifstream stream(file, std::ios::binary);
  if (!stream.is_open()) {
    throw Error("cannot read " + file.string());
  }
  // No further than its size: some files of the system have none, and never end.
  std::string content(size, '\0');
  stream.read(content.data(), static_cast<std::streamsize>(size));
  content.resize(static_cast<std::size_t>(stream.gcount()));
  return content;
}

}  // namespace

std::optional<std::string> read_text(const fs::path& file) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  auto text = read_whole(file, most_text);
  if (text && text->starts_with(byte_order_mark)) {
    text->erase(0, byte_order_mark.size());
  }
  return text;
}

std::optional<std::string> read_data(const fs::path& file) {
  return read_whole(file, most_data);
}

}  // namespace rooftile::platform
