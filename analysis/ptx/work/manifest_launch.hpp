// The launch of a manifest's kernel, for its PTX: its arguments, and its buffers with the device's contents.
#pragma once

#include "analysis/manifest/manifest.hpp"
#include "analysis/ptx/run/memory.hpp"

namespace rooftile::ptx {

// parameters: complete and legal. Throws Error for what cannot be launched.
ProgramLaunch program_launch(const Manifest& manifest, const Parameters& parameters, int sm_count);

}  // namespace rooftile::ptx
