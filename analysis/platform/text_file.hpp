// Files read and written whole.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace rooftile::platform {

// Empty where there is no file. Throws Error for one that cannot be read.
std::optional<std::string> read_text(const std::filesystem::path& file);
// Another file of that name is replaced when all is written. Throws Error when it cannot be.
void write_text(const std::filesystem::path& file, const std::string& text);

}  // namespace rooftile::platform
