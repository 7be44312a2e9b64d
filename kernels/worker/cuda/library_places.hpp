// The places of CUDA's libraries: the toolkit, then the copy that the build fetched, then the system.
#pragma once

#include <string>
#include <vector>

namespace rooftile::worker {

// The major versions of CUDA that are looked for, the best first: a driver serves no newer one than its own,
// but all older ones. driver: the version that it serves, "12.8"; empty: there is none.
std::vector<std::string> cuda_major_versions(const std::string& driver);

// name: "nvrtc", "cupti". major_versions: the best first.
std::vector<std::string> library_places(const std::string& name,
                                        const std::vector<std::string>& major_versions);

}  // namespace rooftile::worker
