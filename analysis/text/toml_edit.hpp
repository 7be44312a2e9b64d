// Single values and entries in the text of a TOML file are changed; every other character stays, comments too.
#pragma once

#include <compare>
#include <cstddef>
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

// Of the array at the place one value, which may be an inline table; behind the last one it is added. An array
// that is not there yet is made. Throws Error as with_value() does, and where there is no such array.
std::string with_item(const std::string& text, const TomlPlace& place, std::size_t item,
                      std::string_view value);
// Throws Error likewise, and where there is no such item.
std::string without_item(const std::string& text, const TomlPlace& place, std::size_t item);

// [[section]] with these lines comes to stand behind the last entry of the section; where it has none, above
// the table of this name, else at the end.
std::string with_entry(const std::string& text, const std::string& section, std::string_view lines,
                       const std::string& above = "");
// From its header to its last value. Throws Error as with_value() does.
std::string without_entry(const std::string& text, const std::string& section, const std::string& name);

// Whether a mistake that a reader tells at this line is one of the value, or of this item of its list. False
// where the text is not TOML or has no such value.
bool stands_at(const std::string& text, const TomlPlace& place, unsigned line,
               std::optional<std::size_t> item = {});

// "N * N" with its quotes.
std::string toml_text(std::string_view words);

}  // namespace rooftile
