// The roofs of a GPU outside any session: measured if this machine has it, else recorded, else quoted.
#pragma once

#include <string>

#include "analysis/record/session_file.hpp"
#include "app/cli/shared/options.hpp"

namespace rooftile::cli {

// The roofs of a log's GPU; without a name its first. Throws Error if the log holds none.
const Roofs& roofs_in(const SessionLog& log, const std::string& gpu_name);

// gpu: empty for this machine's. If it is this machine's, its missing roofs are measured; again: all of them.
// Throws UsageError for an unknown GPU.
Roofs gpu_roofs(const Options& options, const std::string& gpu, bool again = false);

// The same roofs under the name `gpu`, for a log of launches on it. If they are not known: empty, and the
// reason is told, since bytes and FLOPs of a launch can be shown without roofs.
Roofs roofs_or_none(const Options& options, const std::string& gpu);
// Adds them for the GPUs of a log that has none.
void add_missing_roofs(const Options& options, SessionLog& log);

}  // namespace rooftile::cli
