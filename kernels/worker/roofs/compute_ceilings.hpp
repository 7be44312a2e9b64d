// The measured roofs of the pipes, each by a microbenchmark of its own.
#pragma once

#include "analysis/roofline/roofline.hpp"
#include "kernels/worker/roofs/microbenchmark.hpp"

namespace rooftile::worker {

// The pipes of this device that have a microbenchmark.
std::vector<std::string> measurable_pipes(const Gpu& gpu);
// The best of short runs, and the rate that a long run sustains. pipe: one of measurable_pipes().
ComputeRoof compute_ceiling(const Microbenchmark& bench, const std::string& pipe);

}  // namespace rooftile::worker
