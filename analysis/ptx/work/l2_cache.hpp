// Sectors that pass L2, in steps: what the blocks that run together touch in one part of their run. L2 keeps
// what was used last. An L2 of two parts keeps a sector in the part that it belongs to, and a copy in the other
// part once an SM there reads it. A sample of pages stands for all memory.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/chip/launch.hpp"
#include "analysis/text/units.hpp"

namespace rooftile::ptx {

class L2Cache {
 public:
  // buffers: their bytes. The i-th begins at buffer_address(i).
  L2Cache(const std::vector<std::uint64_t>& buffers, Bytes size, bool two_parts);

  struct Counts {                     // sectors
    double read_first = 0, read = 0;  // from DRAM: what was not touched before, and what was lost since
    double dirtied = 0;               // written that L2 did not hold as written already
    double passed_on = 0;             // that SMs of one part read from the other
    double brought = 0, held = 0;     // with their copies: into L2; at all, each once
  };

  void begin_step();
  // readers: blocks that read each of these sectors in this step; 0: none.
  void touch(std::uint64_t first, std::uint64_t count, double readers, bool writes);
  const Counts& counts() const { return counts_; }
  double unwritten() const;  // of those dirtied, sectors that L2 still keeps from DRAM
  // One page of so many stands for all.
  double sampled() const { return static_cast<double>(sampled_); }
  // The share of sectors that are lost when so much of the size was touched after them. met_again: several
  // blocks read them.
  static double lost(double share_of_size, bool met_again);

 private:
  struct Sector {
    std::int32_t step = -1;
    float copies = 0, dirty = 0;
    bool met_again = false;
  };
  struct Buffer {
    std::uint64_t sectors;
    std::vector<Sector> sample;
  };
  void touch(Sector& sector, double copies, double readers, bool writes);

  static constexpr std::uint64_t page = 32;  // sectors
  std::uint64_t sampled_ = 1;                // one page of so many, a power of two
  int pages_bits_ = 0;
  double share_;  // of the size, that a sector of the sample stands for
  bool two_parts_;
  std::vector<Buffer> buffers_;
  std::vector<double> used_last_;   // by step: sectors and their copies
  std::vector<double> used_since_;  // by step, at the begin of this one: shares of the size
  Counts counts_;
};

}  // namespace rooftile::ptx
