// A key of all that a launch of a user's own kernel depends on besides its dials.
#pragma once

#include <string>
#include <string_view>

#include "analysis/manifest/manifest.hpp"

namespace rooftile {

// 16 hexadecimal digits of the source and of all that kernel.toml says of compiling, filling and launching: two
// launches with the same dials did the same only where these digits are equal. Headers beside the source do not
// count. code: the text of the source.
std::string launch_version(const Manifest& manifest, std::string_view code);

}  // namespace rooftile
