// A source as NVRTC, which knows device code alone, can compile it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "kernels/worker/compile/files/source_files.hpp"
#include "kernels/worker/compile/nvrtc.hpp"

namespace rooftile::worker {

// The source and its own headers without functions of the host; behind these a stand-in for each header that is
// missing.
NvrtcInput device_part(const SourceFiles& files);

// The same, as NVRTC takes it. Headers of the host are empty; what C and C++ promise of them for device code,
// such as FLT_MAX and std::min, is known without.
NvrtcInput nvrtc_input(const SourceFiles& files);

// For NVRTC: where the headers of the source are. Of one that includes nothing, that it needs none of the
// runtime's types either, which takes a third of the time.
std::vector<std::string> nvrtc_options(const SourceFiles& files);

}  // namespace rooftile::worker
