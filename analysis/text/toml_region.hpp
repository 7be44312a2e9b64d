// Where the values of a parsed TOML file stand in its text.
#pragma once

#include <toml++/toml.h>

#include <cstddef>
#include <string_view>

namespace rooftile {

// Offsets into the text that the node was parsed of: of its first byte, and of the one behind its last.
std::size_t begin_of(std::string_view text, const toml::node& node);
std::size_t end_of(std::string_view text, const toml::node& node);

}  // namespace rooftile
