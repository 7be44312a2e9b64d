// Cubins, and PTX in their place, on disk, found again by everything that went into them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "kernels/worker/compile/nvrtc.hpp"

namespace rooftile::worker {

// An empty folder keeps and finds nothing. key: source, options, architecture and compiler as one text. The
// file holds the key, so that a different variant with the same hash is a miss, and a checksum, so that a
// truncated or edited file is one too.
std::optional<Cubin> find_cubin(const std::filesystem::path& cache, const std::string& key);
// Atomic. On a full disk the cubin is simply not kept. Now and then the cubins that were not used for longest
// make room.
void keep_cubin(const std::filesystem::path& cache, const std::string& key, const Cubin& cubin);
// Leaves at most so many bytes of cubins.
void trim_cubins(const std::filesystem::path& cache, std::uintmax_t most_bytes);

}  // namespace rooftile::worker
