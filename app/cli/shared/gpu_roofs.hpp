// The roofs of a GPU that is no session's: measured where it is here, else recorded, else quoted.
#pragma once

#include <string>

#include "analysis/record/session_file.hpp"
#include "app/cli/shared/options.hpp"

namespace rooftile::cli {

// Of a log's GPU; without a name its first. Throws Error where it holds none.
const Roofs& roofs_in(const SessionLog& log, const std::string& gpu_name);

// gpu: empty for this machine's. What is not known yet of this machine's is measured, or all of it again.
// Throws UsageError for a GPU that nobody knows.
Roofs gpu_roofs(const Options& options, const std::string& gpu, bool again = false);

// The same under this name, for the log of launches on it. Without roofs nothing bounds a launch, but its bytes
// and FLOPs stand: then none, and the reason is told.
Roofs roofs_or_none(const Options& options, const std::string& gpu);

}  // namespace rooftile::cli
