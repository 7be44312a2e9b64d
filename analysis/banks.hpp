// Shared-memory banks: the wavefronts one warp instruction needs, from the byte address of every lane.
// 32 banks of 4 bytes; lanes that read the same word share it. Accesses of 16 bytes a lane go out per half
// warp, as measured on an H200: broadcast 2 wavefronts, stride 1 4, stride 32 B 8.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace rooftile {

inline constexpr int warp_size = 32;
inline constexpr int bank_count = 32;
inline constexpr int bank_bytes = 4;

// Byte addresses by lane; an empty lane is inactive.
using LaneAddresses = std::array<std::optional<std::int64_t>, warp_size>;

struct BankPattern {
  int wavefronts = 0;        // what the access costs
  int ideal_wavefronts = 0;  // what the same distinct words would cost without conflicts
  std::array<int, bank_count> distinct_words_per_bank{};  // of the whole warp
  int conflict_ways() const { return ideal_wavefronts > 0 ? wavefronts / ideal_wavefronts : 0; }
};

// width_bytes: bytes each lane moves: 1, 2, 4, 8 or 16.
BankPattern bank_pattern(const LaneAddresses& addresses, int width_bytes);

}  // namespace rooftile
