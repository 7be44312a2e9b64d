#include "app/conductor/packed.hpp"

#include <gmock/gmock.h>
#include <zlib.h>

namespace rooftile::conductor {
namespace {

std::string from_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned kept = 0;
  int bits = 0;
  for (const char each : text.substr(0, text.find('='))) {
    kept = kept << 6 | static_cast<unsigned>(digits.find(each));
    if (bits += 6; bits >= 8) {
      bits -= 8;
      bytes += static_cast<char>(kept >> bits & 0xff);
    }
  }
  return bytes;
}

std::string from_gzip(std::string bytes) {
  z_stream stream{};
  inflateInit2(&stream, 15 + 16);
  std::string text(1'000'000, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  text.resize(stream.total_out);
  inflateEnd(&stream);
  return text;
}

// Lengths with every padding of base64.
TEST(Packed, ComesBackAsItWas) {
  std::string text;
  for (int i = 0; i < 300; ++i) {
    const std::string page = packed(text);
    EXPECT_EQ(page.size() % 4, 0u);
    EXPECT_EQ(from_gzip(from_base64(page)), text);
    text += static_cast<char>(i * 37);
  }
}

TEST(Packed, HoldsNothingThatAPageCouldTakeForAnElement) {
  EXPECT_EQ(packed("</script><script>alert(1)</script>").find('<'), std::string::npos);
}

}  // namespace
}  // namespace rooftile::conductor
