// For tests: launches that were counted on an H200. h200_transpose_tiled has TILE 32 and PAD 0 at N = 2048.
//   rooftile-worker --record-counters FOLDER     records every launch
//   tar cJf fixtures.tar.xz *.image *.values
#pragma once

#include <string>

#include "kernels/worker/count/counter_recording.hpp"

namespace rooftile::worker {

inline CounterRecording recorded_launch(const std::string& name) {
  return load_counter_recording(std::filesystem::path(ROOFTILE_FIXTURES_DIR) / name);
}

}  // namespace rooftile::worker
