// How long a launch keeps the pipe busy that L1 and shared memory have together: a wavefront takes a cycle.
// Source: wavefronts of shared accesses and atomics as the banks make them (banks.hpp, atomics.hpp), cycles of
// global ones as coalescing.hpp has them; what cp.async brings passes the pipe twice, to L1 and to shared
// memory. Limits: turns that accesses lose to lines coming in are not seen; TMA writes past this pipe.
#pragma once

#include "analysis/model/model.hpp"

namespace rooftile {

// Cycles of all SMs together.
double l1_pipe_cycles(const Model& model);

}  // namespace rooftile
