// The kernel.toml of a copy: the original's text, comments and all, under a name of its own.
#pragma once

#include <string>
#include <string_view>

#include "analysis/manifest/manifest.hpp"

namespace rooftile {

// text: of the original's kernel.toml. The copy's source has the name of its folder. Titles and place in lists
// are left out, since they would be the same for both; the kernel in the source keeps its name.
std::string copied_manifest(std::string_view text, const Manifest& original);

}  // namespace rooftile
