// The memory levels of the hierarchical roofline, far to near.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace rooftile {

enum class MemoryLevel { dram, l2, l1, shared };

inline constexpr std::array memory_levels = {MemoryLevel::dram, MemoryLevel::l2, MemoryLevel::l1,
                                             MemoryLevel::shared};

// As people write it: "DRAM", "L2", "L1", "shared memory".
std::string_view title(MemoryLevel level);
// As files and options write it: "dram", "l2", "l1", "shared".
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
