#include "analysis/chip/memory_level.hpp"

namespace rooftile {
namespace {

struct LevelNames {
  std::string_view title, key;
};
constexpr std::array<LevelNames, memory_levels.size()> names = {{{"DRAM", "dram"},
                                                                 {"L2", "l2"},
                                                                 {"L1", "l1"},
                                                                 {"shared memory", "shared"},
                                                                 {"distributed shared memory", "distributed"}}};

}  // namespace

std::string_view title(MemoryLevel level) {
  return names[static_cast<std::size_t>(level)].title;
}

std::string_view key(MemoryLevel level) {
  return names[static_cast<std::size_t>(level)].key;
}

std::optional<MemoryLevel> memory_level(std::string_view wanted) {
  for (const MemoryLevel level : memory_levels) {
    if (key(level) == wanted) {
      return level;
    }
  }
  return {};
}

}  // namespace rooftile
