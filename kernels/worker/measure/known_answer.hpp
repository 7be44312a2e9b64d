// A launch whose counts are known beforehand: it proves the counters once per worker.
#pragma once

#include "kernels/worker/compile/compiler.hpp"
#include "kernels/worker/measure/counting.hpp"

namespace rooftile::worker {

// The counted values; empty without counters. Wrong counts make `counting` distrust its counters.
std::optional<Counters> count_known_answer(const Device& device, const Compiler& compiler,
                                           const std::filesystem::path& sources, Counting& counting);

}  // namespace rooftile::worker
