// Where a kernel waits for what cp.async copies to shared memory, and how many groups of copies are under way
// meanwhile.
#pragma once

#include <vector>

#include "analysis/ptx/program/program.hpp"

namespace rooftile::ptx {

struct CopyWait {
  std::int32_t instruction = 0;
  int ahead =
      0;  // groups that are under way while the loop computes: 0 if it waits for what it has just asked for
};

// In the order of the code.
std::vector<CopyWait> copy_waits(const Program& program);

}  // namespace rooftile::ptx
