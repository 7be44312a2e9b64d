// Where CUDA's libraries are looked for: the toolkit, then the copy the build fetched, then the system.
#pragma once

#include <string>
#include <vector>

namespace rooftile::worker {

// name: "nvrtc", "cupti". major_versions: newest first.
std::vector<std::string> library_places(const std::string& name,
                                        const std::vector<std::string>& major_versions);

}  // namespace rooftile::worker
