// Uses of parameters and buffers in the text of a kernel.toml, so that they can be renamed and removed.
#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analysis/text/toml_edit.hpp"

namespace rooftile {

// The value at this place uses the name. item: of a list; 0 where the value is no list.
struct NameUse {
  TomlPlace place;
  std::size_t item = 0;
  auto operator<=>(const NameUse&) const = default;
};

// section: "parameter" or "buffer", whose entry has the name. In the order of the file's sections by name.
// Throws Error where the text is not TOML.
std::vector<NameUse> uses_of(const std::string& text, const std::string& section, const std::string& name);

// Renames the entry and all uses of it. Throws Error where there is no such entry.
std::string with_name(const std::string& text, const std::string& section, const std::string& from,
                      const std::string& to);

// Why no further entry of the section can have this name, in a sentence; empty where one can. Throws Error
// likewise.
std::optional<std::string> why_no_name(const std::string& text, const std::string& section,
                                       const std::string& name);

}  // namespace rooftile
