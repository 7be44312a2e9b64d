// The places of the values of a parsed TOML file in its text.
#pragma once

#include <toml++/toml.h>

#include <cstddef>
#include <string_view>

namespace rooftile {

// Offsets into the text that the node was parsed from: its first byte, and the byte behind its last.
std::size_t begin_of(std::string_view text, const toml::node& node);
std::size_t end_of(std::string_view text, const toml::node& node);

}  // namespace rooftile
