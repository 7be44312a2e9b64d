// Files read whole.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace rooftile::platform {

// Empty where there is no file. Throws Error for one that cannot be read.
std::optional<std::string> read_text(const std::filesystem::path& file);

}  // namespace rooftile::platform
