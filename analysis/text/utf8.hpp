// The text of a file of another program, which may have written a byte-order mark or UTF-16.
#pragma once

#include <string>

namespace rooftile {

// Without the mark, and from UTF-16 where the mark says so. Any other bytes are given back as they are.
std::string utf8_text(std::string bytes);

}  // namespace rooftile
