// The measured roofs of the pipes, each by a microbenchmark of its own.
#pragma once

#include "analysis/roofline/roofline.hpp"
#include "kernels/worker/roofs/microbenchmark.hpp"

namespace rooftile::worker {

// Those a microbenchmark is known for on this device.
std::vector<std::string> measurable_pipes(const Gpu& gpu);
// A short run's best, and what a long one keeps up. The pipe is a measurable one.
ComputeRoof compute_ceiling(const Microbenchmark& bench, const std::string& pipe);

}  // namespace rooftile::worker
