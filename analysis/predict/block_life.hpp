// How long a block stays on its SM when nothing but its own waiting holds it up: with the blocks that fit at
// once this is Little's law, bytes in flight against latency.
// Source: V. Volkov, "Understanding Latency Hiding on GPUs", 2016: a warp's time is the latency of its rounds
// and the pace of its own instructions. A round takes as long as its slowest load: a block that shares memory
// waits at a barrier for the loads of all its warps, a warp of another block for its own loads. Other blocks
// hide in part the work of a block between its rounds. A cluster meets twice.
// Limits: loads are taken to miss at random, as often as the bytes by level say. How the compiler orders
// instructions and which registers meet in a bank is not known; arithmetic is taken to be independent.
#pragma once

#include "analysis/chip/roofs.hpp"
#include "analysis/model/model.hpp"

namespace rooftile {

// Cycles. waits_together: its threads meet at barriers. schedulers: of an SM.
double block_life(const Model& model, bool waits_together, int schedulers, const Roofs& roofs);

}  // namespace rooftile
