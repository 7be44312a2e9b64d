// The paces of the device, each by a microbenchmark of its own.
#pragma once

#include "analysis/chip/roofs.hpp"
#include "kernels/worker/roofs/microbenchmark.hpp"

namespace rooftile::worker {

// The paces that this device has.
std::vector<Pace> measurable_paces(const Gpu& gpu);
PaceFigure measured_pace(const Microbenchmark& bench, Pace pace);

}  // namespace rooftile::worker
