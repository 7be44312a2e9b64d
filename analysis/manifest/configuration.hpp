// A choice of what to launch: a kernel, its dials and the state of the caches.
#pragma once

#include <string>
#include <vector>

#include "analysis/chip/launch.hpp"
#include "analysis/text/expression.hpp"

namespace rooftile {

// To be measured, or to be compiled for a chosen GPU. Parameters left out have the manifest's defaults.
struct Configuration {
  std::string kernel;
  Parameters parameters;
  Caches caches = Caches::cold;
  bool returned_bytes = false;  // also count bytes as Nsight Compute defines them
};
std::string text(const Configuration& configuration);  // "sgemm_tiled TILE=32"

}  // namespace rooftile
