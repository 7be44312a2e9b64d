#include "app/conductor/packed.hpp"

#define ZLIB_CONST  // what it reads stays as it is
#include <zlib.h>

#include <algorithm>

#include "analysis/text/error.hpp"

namespace rooftile::conductor {
namespace {

constexpr int gzip_format = 15 + 16;  // the largest window, and gzip's header instead of zlib's
constexpr int usual_memory = 8;

std::string gzip(std::string_view bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, gzip_format, usual_memory, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    throw Error("there is no memory to compress the page's data");
  }
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<const Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    unsigned three = 0;
    for (std::size_t i = at; i < at + 3; ++i) {
      three = three << 8 | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0u);
    }
    for (const int shift : {18, 12, 6, 0}) {
      text += digits[three >> shift & 63];
    }
  }
  const std::size_t missing = (3 - bytes.size() % 3) % 3;
  std::fill_n(text.rbegin(), missing, '=');
  return text;
}

}  // namespace

std::string packed(std::string_view bytes) {
  return base64(gzip(bytes));
}

}  // namespace rooftile::conductor
