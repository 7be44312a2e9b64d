// Files read whole.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace rooftile::platform {

inline constexpr std::uintmax_t most_text = 64 << 20;                               // [B]
inline constexpr std::uintmax_t most_data = (std::uintmax_t{4} << 30) + (1 << 16);  // [B], with a header

// Empty where there is no file; without a byte order mark. Throws Error for one that cannot be read: a folder,
// a device, one of more than most_text.
std::optional<std::string> read_text(const std::filesystem::path& file);
// The same of an array of numbers, up to most_data; of a gzip file what it holds. Throws Error for one that is
// cut off or damaged, too.
std::optional<std::string> read_data(const std::filesystem::path& file);

}  // namespace rooftile::platform
