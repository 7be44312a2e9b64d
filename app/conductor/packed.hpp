// Bytes as a page holds them.
#pragma once

#include <string>
#include <string_view>

namespace rooftile::conductor {

// The base64 of a gzip file of these bytes. Throws Error where there is no memory for it.
std::string packed(std::string_view bytes);

}  // namespace rooftile::conductor
