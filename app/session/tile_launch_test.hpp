// The launch that the tests of this folder ask for.
#pragma once

#include "analysis/manifest/configuration.hpp"

namespace rooftile {

inline Configuration tile(double value) {
  return {"sgemm_tiled", {{"TILE", value}}};
}

}  // namespace rooftile
