// One value in the text of a TOML file is replaced; every other character stays, comments too.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace rooftile {

// A key of the table [section], or of the entry of [[section]] that has this name.
struct TomlPlace {
  std::string section;  // "launch", "buffer"
  std::string entry;    // "A"; empty: of [section]
  std::string key;      // "grid"
  auto operator<=>(const TomlPlace&) const = default;
};

// value: as TOML writes it. A key that is not there yet comes to stand below the header of its table. Throws
// Error, which says what to do, where the text is not TOML, has no such table, or has a comment inside of the
// value.
std::string with_value(const std::string& text, const TomlPlace& place, std::string_view value);

// Whether a mistake that a reader tells at this line is one of the value. False where the text is not TOML or
// has no such value.
bool stands_at(const std::string& text, const TomlPlace& place, unsigned line);

// "N * N" with its quotes.
std::string toml_text(std::string_view words);

}  // namespace rooftile
