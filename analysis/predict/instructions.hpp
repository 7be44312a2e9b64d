// How many warp instructions a launch issues, from what its manifest says of work and accesses.
// Source: least squares over the counted instructions of the H200's recorded launches, each kernel weighted
// alike. A kernel that is left out of the fit is mostly predicted at 0.6 to 1.25 of its count.
// Limits: compilers differ in address arithmetic and unrolling; reductions, branches and atomics are not seen.
#pragma once

#include "analysis/model/model.hpp"

namespace rooftile {

// The count of the model if it has one, else an estimate.
WarpInstructions warp_instructions(const Model& model);

double warps_of(const Launch& launch);

}  // namespace rooftile
