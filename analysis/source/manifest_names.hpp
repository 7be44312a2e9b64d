// Where the text of a kernel.toml uses its parameters and buffers, so that they can be renamed and removed.
#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analysis/text/toml_edit.hpp"

namespace rooftile {

// What stands there uses the name. item: of a list; 0 where it is none.
struct NameUse {
  TomlPlace place;
  std::size_t item = 0;
  auto operator<=>(const NameUse&) const = default;
};

// section: "parameter" or "buffer", whose entry has the name. In the order of the file's sections by name.
// Throws Error where the text is not TOML.
std::vector<NameUse> uses_of(const std::string& text, const std::string& section, const std::string& name);

// The entry is called otherwise, and all that uses it follows. Throws Error where there is no such entry.
std::string with_name(const std::string& text, const std::string& section, const std::string& from,
                      const std::string& to);

// Why no entry more of the section can be called so, in a sentence; empty: one can. Throws Error likewise.
std::optional<std::string> why_no_name(const std::string& text, const std::string& section,
                                       const std::string& name);

}  // namespace rooftile
