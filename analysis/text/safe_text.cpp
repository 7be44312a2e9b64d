#include "analysis/text/safe_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace rooftile {
namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";

// Characters that embed, override and isolate a direction, and the separators of lines and paragraphs.
constexpr std::array<std::string_view, 11> turning = {"\u202a", "\u202b", "\u202c", "\u202d",
                                                      "\u202e", "\u2066", "\u2067", "\u2068",
                                                      "\u2069", "\u2028", "\u2029"};

// How many bytes the first letter has; 0 where they are none, or one that steers.
std::size_t letter_length(std::string_view bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const auto follows = [&](std::size_t i) { return i < bytes.size() && (byte(i) & 0xc0) == 0x80; };
  if (byte(0) < 0x80) {
    return byte(0) >= 0x20 && byte(0) != 0x7f ? 1 : byte(0) == '\n' || byte(0) == '\t' ? 1 : 0;
  }
  if (byte(0) >= 0xc2 && byte(0) < 0xe0) {
    return follows(1) && !(byte(0) == 0xc2 && byte(1) < 0xa0) ? 2 : 0;
  }
  if (byte(0) >= 0xe0 && byte(0) < 0xf0 && follows(1) && follows(2)) {
    const unsigned code = (byte(0) & 0x0fu) << 12 | (byte(1) & 0x3fu) << 6 | (byte(2) & 0x3fu);
    return code >= 0x800 && !(code >= 0xd800 && code < 0xe000) && code < 0xfffe ? 3 : 0;
  }
  if (byte(0) >= 0xf0 && byte(0) < 0xf5 && follows(1) && follows(2) && follows(3)) {
    return !(byte(0) == 0xf0 && byte(1) < 0x90) && !(byte(0) == 0xf4 && byte(1) >= 0x90) ? 4 : 0;
  }
  return 0;
}

// as_is writes each letter, odd each byte that belongs to no letter.
template <class AsIs, class Odd>
std::string each_letter(std::string_view bytes, AsIs as_is, Odd odd) {
  std::string safe;
  while (!bytes.empty()) {
    const std::size_t length = letter_length(bytes);
    safe += length > 0 ? as_is(bytes.substr(0, length)) : odd(static_cast<unsigned char>(bytes.front()));
    bytes.remove_prefix(std::max<std::size_t>(1, length));
  }
  return safe;
}

std::string shown_byte(unsigned char byte) {
  return fmt::format("\\x{:02x}", byte);
}

bool is_turning(std::string_view letter) {
  return std::ranges::find(turning, letter) != turning.end();
}

std::string shown_if_turning(std::string_view letter) {
  if (!is_turning(letter)) {
    return std::string(letter);
  }
  std::string shown;
  for (const char byte : letter) {
    shown += shown_byte(static_cast<unsigned char>(byte));
  }
  return shown;
}

std::string escaped_for_xml(std::string_view letter) {
  if (is_turning(letter)) {
    return std::string(replacement);
  }
  return letter == "&"    ? "&amp;"
         : letter == "<"  ? "&lt;"
         : letter == ">"  ? "&gt;"
         : letter == "\"" ? "&quot;"
                          : std::string(letter);
}

std::string escaped_for_markdown(std::string_view letter) {
  if (letter == "\n" || letter == "\t" || is_turning(letter)) {
    return " ";
  }
  return letter == "|" || letter == "[" || letter == "\\" ? "\\" + std::string(letter)
         : letter == "`"                                  ? "&#96;"
                                                          : escaped_for_xml(letter);
}

}  // namespace

std::string visible_text(std::string_view bytes) {
  return each_letter(bytes, shown_if_turning, shown_byte);
}

std::string xml_text(std::string_view bytes) {
  return each_letter(bytes, escaped_for_xml, [](unsigned char) { return std::string(replacement); });
}

std::string markdown_cell(std::string_view bytes) {
  return each_letter(bytes, escaped_for_markdown, [](unsigned char) { return std::string(" "); });
}

// Within backticks nothing is escaped but the bar; what would end them or begin a comment is changed.
std::string markdown_code(std::string_view bytes) {
  const auto as_code = [](std::string_view letter) {
    return letter == "\n" || letter == "\t" || is_turning(letter) ? " "
           : letter == "`"                                        ? "'"
           : letter == "|"                                        ? "\\|"
                                                                  : std::string(letter);
  };
  std::string code = each_letter(bytes, as_code, [](unsigned char) { return std::string(" "); });
  for (std::size_t at = 0; (at = code.find("<!", at)) != std::string::npos; ++at) {
    code.insert(at + 1, " ");
  }
  return "`" + code + "`";
}

std::string csv_cell(std::string_view bytes) {
  std::string words = visible_text(bytes);
  if (!words.empty() && std::string_view("=+-@\t\n").find(words.front()) != std::string_view::npos) {
    words.insert(0, 1, '\'');
  }
  if (words.find_first_of(",\"\n") == std::string::npos) {
    return words;
  }
  std::string quoted = "\"";
  for (const char letter : words) {
    quoted += letter == '"' ? "\"\"" : std::string(1, letter);
  }
  return quoted + "\"";
}

}  // namespace rooftile
