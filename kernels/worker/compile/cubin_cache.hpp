// Cubins on disk, found again by everything that went into them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "kernels/worker/compile/nvrtc.hpp"

namespace rooftile::worker {

// key: source, options, architecture and compiler version as one text. The file holds the key, so that a
// different variant with the same hash is a miss, and a checksum, so that a truncated or edited file is one
// too.
std::optional<Cubin> find_cubin(const std::filesystem::path& cache, const std::string& key);
// Atomic; a full disk is no failure, the cubin is simply not kept.
void keep_cubin(const std::filesystem::path& cache, const std::string& key, const Cubin& cubin);

}  // namespace rooftile::worker
