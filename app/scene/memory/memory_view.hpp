// The way of the launch's bytes from the registers to DRAM.
#pragma once

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// Belongs to the launch that the verdict is about. Each figure says whether it was counted or computed; a
// latency says where it was measured. What nobody knows is left out.
MemoryView memory_view(const AppState& state);

}  // namespace rooftile::scene
