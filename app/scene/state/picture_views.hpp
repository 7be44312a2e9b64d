// The pictures in values: accesses in banks and sectors, the tile of a block, the ladder of memory.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/chip/memory_level.hpp"
#include "analysis/model/banks.hpp"
#include "app/scene/paper/layout.hpp"

namespace rooftile::scene {

// One access of a warp as the words of 4 bytes that it touches, 32 to a row: in the banks of shared memory, or
// in the sectors of global memory.
struct AccessView {
  bool in_sectors = false;
  std::vector<std::string> accesses;          // of the kernel, the dearest first
  std::string access;                         // that is shown
  std::string sentence;                       // its cost, beside the least and beside what was counted
  std::vector<BankWord> words;                // of a warp at a step; of the first warp where no steps were read
  int wavefronts = 0;                         // of them, in shared memory
  bool hides = false;                         // the cost is not shown: the class guesses first
  int warp = 0, warps = 0;                    // of the block; 0: no steps were read
  std::size_t step = 0, steps = 0;            // how often the warp comes to the access
  std::map<std::int64_t, std::string> races;  // words that another warp touches without a barrier between: who
  std::string step_sentence;                  // what this step costs, or why there is none
  std::string notice;                         // instead of all that
};

// The elements of a buffer that one block touches, as a picture of few cells: each stands for an element, or
// for several side by side.
struct TileOfBuffer {
  enum Cell : std::uint8_t { untouched, earlier, now, by_warp, by_lane };  // a later one goes first
  std::string name, extent;  // extent: "rows 1,024 to 1,055, columns 0 to 2,047"
  int across = 0, down = 0;
  std::vector<std::uint8_t> cells = {};  // row by row
};

// The elements of a result that are wrong.
struct WrongMap {
  std::string name, extent;        // extent: "1,200 of 1,048,576, rows of 1,024"
  std::vector<std::string> cells;  // WrongElements::cells
  float tallness = 1;              // height of a cell by its width, as the elements lie
  std::optional<Rect> block = {};  // what a block touches, as a part of 1
};

struct TileView {
  std::vector<TileOfBuffer> tiles;
  std::optional<WrongMap> wrong;
  int warp = 0, warps = 0;
  std::size_t step = 0, steps = 0;
  std::string sentence;
  double flops = 0, loaded = 0;           // of the block so far; loaded [B]: by sectors
  bool hides = false;                     // this step is not shown: the class guesses first
  std::optional<double> bandwidth, peak;  // roofs of L1 [B/s] and of the pipe [FLOP/s]
  std::string notice;                     // instead of all that, but for what is wrong
};

// A level of memory on the way from the registers to DRAM, and what the launch moves there.
struct MemoryRung {
  std::string name, room;            // room: what there is of it, and what the launch takes
  std::optional<MemoryLevel> level;  // empty: registers
  std::optional<double> bytes;       // moved; empty: nobody knows
  std::string moved;                 // "67.1 MB counted", empty where nobody knows
  std::string hits;                  // "hit rate 12 % counted", may be empty
  std::string latency;               // of a load that hits there, and its origin; may be empty
};

struct MemoryView {
  std::vector<MemoryRung> rungs;  // registers first
  std::string sentence;
  std::string notice;  // instead of all that
};

}  // namespace rooftile::scene
