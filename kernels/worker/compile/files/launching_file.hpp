// The file that launches the kernels of a source which leaves that to others, as headers do.
#pragma once

#include <string>
#include <vector>

#include "analysis/source/kernels/source_kernels.hpp"
#include "kernels/worker/compile/files/source_files.hpp"

namespace rooftile::worker {

// The nearest file of the repository that launches one of the kernels, and includes the source or a header that
// does. kernels: their names. Empty where the source or its own headers launch one themselves.
LaunchingFile launching_file(const SourceFiles& files, const std::vector<std::string>& kernels);

}  // namespace rooftile::worker
