// The memory levels of the hierarchical roofline, far to near; last, aside from that order, the shared memory
// of the other blocks of a cluster.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "analysis/text/units.hpp"

namespace rooftile {

enum class MemoryLevel { dram, l2, l1, shared, distributed };

inline constexpr std::array memory_levels = {MemoryLevel::dram, MemoryLevel::l2, MemoryLevel::l1,
                                             MemoryLevel::shared, MemoryLevel::distributed};

// For people: "DRAM", "L2", "L1", "shared memory", "distributed shared memory".
std::string_view title(MemoryLevel level);
// For files and options: "dram", "l2", "l1", "shared", "distributed".
std::string_view key(MemoryLevel level);
std::optional<MemoryLevel> memory_level(std::string_view key);

// One optional value for each level; a level nobody counted or modelled stays empty.
template <class T>
class PerLevel {
 public:
  std::optional<T>& operator[](MemoryLevel level) { return values_[static_cast<std::size_t>(level)]; }
  const std::optional<T>& operator[](MemoryLevel level) const {
    return values_[static_cast<std::size_t>(level)];
  }
  bool operator==(const PerLevel&) const = default;

 private:
  std::array<std::optional<T>, memory_levels.size()> values_;
};

}  // namespace rooftile
