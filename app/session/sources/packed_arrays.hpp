// The arrays of a captured launch, compressed for whoever it is sent to.
#pragma once

#include <filesystem>

namespace rooftile {

// Compresses each array of NumPy in the folder that becomes smaller by a quarter: "b0.npy" is "b0.npy.gz" then,
// also in its kernel.toml. One for which there is no room stays as it is.
void pack_arrays(const std::filesystem::path& folder);

}  // namespace rooftile
