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

// value: as TOML writes it. A new key goes below the header of its table. Throws Error, which says what to do,
// where the text is not TOML, has no such table, or has a comment inside of the value.
std::string with_value(const std::string& text, const TomlPlace& place, std::string_view value);

// Replaces one value of the array at the place; the value may be an inline table. A value behind the last one
// is added. An array that is not there yet is made. Throws Error as with_value() does, and where the place
// holds no array.
std::string with_item(const std::string& text, const TomlPlace& place, std::size_t item,
                      std::string_view value);
// Throws Error likewise, and where there is no such item.
std::string without_item(const std::string& text, const TomlPlace& place, std::size_t item);

// Adds [[section]] with these lines behind the last entry of the section; where it has none, above the table of
// this name, else at the end.
std::string with_entry(const std::string& text, const std::string& section, std::string_view lines,
                       const std::string& above = "");
// Removes the entry, from its header to its last value. Throws Error as with_value() does.
std::string without_entry(const std::string& text, const std::string& section, const std::string& name);

// Whether a reader's mistake at this line belongs to the value, or to this item of its list. False where the
// text is not TOML or has no such value.
bool stands_at(const std::string& text, const TomlPlace& place, unsigned line,
               std::optional<std::size_t> item = {});

// "N * N" with its quotes.
std::string toml_text(std::string_view words);

}  // namespace rooftile
