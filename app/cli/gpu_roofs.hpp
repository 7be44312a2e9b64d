// The roofs of a GPU that is no session's: measured where it is here, else recorded, else quoted.
#pragma once

#include <string>

#include "analysis/session_file.hpp"
#include "app/cli/options.hpp"

namespace rooftile::cli {

// Of a log's GPU; without a name its first. Throws Error where it holds none.
const Roofs& roofs_in(const SessionLog& log, const std::string& gpu_name);

// gpu: empty for this machine's. What is not known yet of this machine's is measured, or all of it again.
// Throws UsageError for a GPU that nobody knows.
Roofs gpu_roofs(const Options& options, const std::string& gpu, bool again = false);

}  // namespace rooftile::cli
