// Files read whole.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace rooftile::platform {

inline constexpr std::uintmax_t most_text = 64 << 20;  // [B]

// Empty where there is no file. Throws Error for one that cannot be read: a folder, a device, one of more than
// most_text.
std::optional<std::string> read_text(const std::filesystem::path& file);

}  // namespace rooftile::platform
