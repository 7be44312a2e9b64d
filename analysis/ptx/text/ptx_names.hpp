// Words of PTX that name something by themselves.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "analysis/ptx/program/program.hpp"

namespace rooftile::ptx {

std::optional<Special> special_named(std::string_view word);  // "%tid.x"

// 12, 0x1F, 0f3F800000, 0d..., WARP_SZ; 1.5 as the type has it: its bits.
std::optional<std::uint64_t> number_named(std::string_view word, Type type = {});

}  // namespace rooftile::ptx
