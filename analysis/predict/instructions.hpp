// How many warp instructions a launch issues, from what its manifest says of work and accesses.
// Source: least squares over the counted instructions of the H200's recorded launches, each kernel weighted
// alike. A kernel that is left out of the fit is mostly predicted at 0.6 to 1.25 of its count.
// Limits: compilers differ in address arithmetic and unrolling; reductions, branches and atomics are not seen.
#pragma once

#include "analysis/model/model.hpp"

namespace rooftile {

struct WarpInstructions {
  double arithmetic = 0;  // on the pipe of the FLOPs
  double others = 0;      // loads, stores and the arithmetic of their addresses
  double count() const { return arithmetic + others; }
};

// Sums over the launch.
WarpInstructions warp_instructions(const Model& model);

double warps_of(const Launch& launch);

}  // namespace rooftile
