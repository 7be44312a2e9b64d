// What a manifest's kernel is launched with, for its PTX: arguments, and buffers filled as on the device.
#pragma once

#include "analysis/manifest/manifest.hpp"
#include "analysis/ptx/memory.hpp"

namespace rooftile::ptx {

// parameters: complete and legal. Throws Error for what cannot be launched.
ProgramLaunch program_launch(const Manifest& manifest, const Parameters& parameters, int sm_count);

}  // namespace rooftile::ptx
