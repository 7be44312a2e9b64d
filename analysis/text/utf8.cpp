#include "analysis/text/utf8.hpp"

#include <cstdint>

namespace rooftile {
namespace {

void append_utf8(std::string& text, std::uint32_t letter) {
  const auto follow = [&](int bits) { text += static_cast<char>(0x80 | (letter >> bits & 0x3f)); };
  if (letter < 0x80) {
    text += static_cast<char>(letter);
  } else if (letter < 0x800) {
    text += static_cast<char>(0xc0 | letter >> 6);
    follow(0);
  } else if (letter < 0x10000) {
    text += static_cast<char>(0xe0 | letter >> 12);
    follow(6);
    follow(0);
  } else {
    text += static_cast<char>(0xf0 | letter >> 18);
    follow(12);
    follow(6);
    follow(0);
  }
}

}  // namespace

std::string utf8_text(std::string bytes) {
  if (bytes.starts_with("\xef\xbb\xbf")) {
    return bytes.erase(0, 3);
  }
  const bool little = bytes.starts_with("\xff\xfe");
  if (!little && !bytes.starts_with("\xfe\xff")) {
    return bytes;
  }
  const auto unit = [&](std::size_t at) {
    const auto low = static_cast<unsigned char>(bytes[at + (little ? 0 : 1)]);
    const auto high = static_cast<unsigned char>(bytes[at + (little ? 1 : 0)]);
    return static_cast<std::uint32_t>(high << 8 | low);
  };
  std::string text;
  for (std::size_t at = 2; at + 1 < bytes.size(); at += 2) {
    std::uint32_t letter = unit(at);
    const bool pair = letter >= 0xd800 && letter < 0xdc00 && at + 3 < bytes.size();
    if (pair) {
      at += 2;
      letter = 0x10000 + ((letter & 0x3ff) << 10) + (unit(at) & 0x3ff);
    }
    append_utf8(text, letter);
  }
  return text;
}

}  // namespace rooftile
