#include "analysis/platform/text_file.hpp"

#include <fmt/format.h>

#define ZLIB_CONST  // what it reads stays as it is
#include <zlib.h>

#include <algorithm>
#include <fstream>
#include <string_view>
#include <utility>

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

bool is_gzip(std::string_view bytes) {
  return bytes.starts_with("\x1f\x8b");
}

// Inflates a gzip file of any size, piece by piece: zlib counts bytes in 32 bits.
class Inflater {
 public:
  explicit Inflater(std::string_view packed) : packed_(packed) {
    constexpr int gzip_format = 15 + 16;  // the largest window, and gzip's header instead of zlib's
    is_open_ = inflateInit2(&stream_, gzip_format) == Z_OK;
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Empty where it is cut off, damaged or holds more.
  std::optional<std::string> all(std::uintmax_t most) {
    std::string content;
    for (int state = is_open_ ? Z_OK : Z_MEM_ERROR; state != Z_STREAM_END;) {
      const std::size_t done = content.size();
      if (state != Z_OK || done > most) {
        return std::nullopt;
      }
      content.resize(done + std::clamp<std::size_t>(done, least_piece, most_piece));
      state = piece(content.data() + done, content.size() - done);
      content.erase(content.size() - stream_.avail_out);
    }
    return content.size() <= most ? std::optional(std::move(content)) : std::nullopt;
  }

 private:
  static constexpr std::size_t least_piece = 1 << 16, most_piece = 1 << 28;

  int piece(char* into, std::size_t bytes) {
    if (stream_.avail_in == 0) {
      const std::size_t given = std::min(packed_.size(), most_piece);
      stream_.next_in = reinterpret_cast<const Bytef*>(packed_.data());
      stream_.avail_in = static_cast<uInt>(given);
      packed_.remove_prefix(given);
    }
    stream_.next_out = reinterpret_cast<Bytef*>(into);
    stream_.avail_out = static_cast<uInt>(bytes);
    return inflate(&stream_, Z_NO_FLUSH);
  }

  z_stream stream_{};
  std::string_view packed_;  // what zlib was not given yet
  bool is_open_ = false;
};

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
  auto data = read_whole(file, most_data);
  if (data && is_gzip(*data)) {
    data = Inflater(*data).all(most_data);
    if (!data) {
      throw Error(fmt::format("cannot read {}: it is no whole gzip file, or holds more than {}", file.string(),
                              text(Bytes{static_cast<double>(most_data)})));
    }
  }
  return data;
}

}  // namespace rooftile::platform
