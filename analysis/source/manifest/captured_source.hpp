// A captured launch whose source is there: the launch keeps its arguments, memory and result, and gets the
// dials of the source.
#pragma once

#include <string>
#include <string_view>

namespace rooftile {

// captured: the kernel.toml of the launch, as captured_manifest() writes it; sourced: that which new_manifest()
// made of the source, for the same folder. Grid and block are expressions in the dials where these give what
// was captured: the numbers of the source's own launch with the arguments that were captured, else a line of
// threads that a dial divides. Throws Error where the source's kernel takes other arguments than the launch
// gave.
std::string with_source(std::string_view captured, std::string_view sourced);

}  // namespace rooftile
