// The lines of a launch as text: the source, with columns beside each line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/record/source_profile.hpp"

namespace rooftile::cli {

std::string text(const SourceProfile& profile);
// The instructions of the machine in their order, below the lines that they come from; empty where none are
// known.
std::string machine_text(const SourceProfile& profile);
// Computed from compiled code, not counted. source: the text of the kernel's file.
std::string computed_text(const std::vector<ptx::LineWork>& lines, std::string_view source);

}  // namespace rooftile::cli
