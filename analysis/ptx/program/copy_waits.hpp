// A kernel waits for the groups of copies that cp.async makes. These functions find the waits in its code, and
// count the groups that are still under way while the kernel computes.
#pragma once

#include <vector>

#include "analysis/ptx/program/program.hpp"

namespace rooftile::ptx {

struct CopyWait {
  std::int32_t instruction = 0;
  int ahead =
      0;  // groups that are under way while the loop computes: 0 if it waits for what it has just asked for
};

// They come in the order of the code.
std::vector<CopyWait> copy_waits(const Program& program);

}  // namespace rooftile::ptx
