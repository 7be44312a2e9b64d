// A note on a place of the dials: what a teacher says there. It opens with the window as it was then.
#pragma once

#include <cstdint>
#include <string>

#include "analysis/chip/launch.hpp"
#include "analysis/chip/memory_level.hpp"
#include "analysis/text/expression.hpp"

namespace rooftile {

struct Note {
  std::uint64_t id = 0;  // from 1, in the order they are read; a newer one of the same id replaces it
  std::string text;      // empty: the note was removed
  std::string kernel, gpu;
  Parameters parameters;
  Caches caches = Caches::cold;
  MemoryLevel level = MemoryLevel::dram;  // that is looked at
  std::string dial;                       // that has the keyboard
  std::string panel;                      // that is open, by the word below its icon; empty: the chart alone
  bool operator==(const Note&) const = default;
};

}  // namespace rooftile
