// Shared-memory banks: the wavefronts one warp instruction needs, from the byte address of every lane. 32 banks
// of 4 bytes; lanes that read the same word share it. Wider accesses go out in groups of lanes: 16 lanes of 8
// bytes, 8 of 16. A wide load takes twice as many lanes at once where lanes i and i ^ 1 of the whole warp read
// the same, or all lanes i and i ^ 2; a store never does. Counted on an H200, for hundreds of single
// instructions.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/chip/architecture.hpp"

namespace rooftile {

// Byte addresses by lane; an empty lane is inactive.
using LaneAddresses = std::array<std::optional<std::int64_t>, warp_size>;

struct BankPattern {
  int wavefronts = 0;        // what the access costs
  int ideal_wavefronts = 0;  // what the same distinct words would cost without conflicts
  std::array<int, bank_count> distinct_words_per_bank{};  // of the whole warp
  int conflict_ways() const { return ideal_wavefronts > 0 ? wavefronts / ideal_wavefronts : 0; }
};

// width_bytes: bytes each lane moves: 1, 2, 4, 8 or 16.
BankPattern bank_pattern(const LaneAddresses& addresses, int width_bytes, bool store);

// A word that a warp touches, once for each group of lanes that goes out together.
struct BankWord {
  std::int64_t word = 0;  // its byte address is 4 times as large
  int bank = 0;
  int wavefront = 0;       // that serves it, from 0
  std::vector<int> lanes;  // that touch it
};
// By wavefront groups, then by address. Words of one bank are served one after the other; which of them comes
// first is not known, the lowest address is taken to.
std::vector<BankWord> bank_words(const LaneAddresses& addresses, int width_bytes, bool store);
// Every word of the sectors of global memory that a warp touches, by address. A word without lanes moves
// along. No wavefronts.
std::vector<BankWord> sector_words(const LaneAddresses& addresses, int width_bytes);

}  // namespace rooftile
