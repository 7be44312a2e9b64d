// The places of CUDA's libraries: the toolkit, then the copy that the build fetched, then the system.
#pragma once

#include <string>
#include <vector>

namespace rooftile::worker {

// name: "nvrtc", "cupti". major_versions: newest first.
std::vector<std::string> library_places(const std::string& name,
                                        const std::vector<std::string>& major_versions);

}  // namespace rooftile::worker
