// A sweep that several GPUs of this machine share, each with a worker of its own.
#pragma once

#include <string>
#include <vector>

#include "app/cli/shared/live/live_session.hpp"

namespace rooftile::cli {

// words: "all", or numbers as the driver counts GPUs, "0,2". machine: their names. Throws UsageError for what
// is neither, naming the GPUs that are there.
std::vector<int> gpus_named(const std::string& words, const std::vector<std::string>& machine);

// Measures the plan on the session's GPU and on these others; all points go into the session's journal, as they
// come. GPUs of one name share the plan; GPUs of another name measure all of it too, since figures of unlike
// GPUs are not compared. Returns how many points the plan comes to. A GPU that cannot be used is told of, and
// the others take its part; Error where none of its name is left.
std::size_t sweep_together(const Options& options, Session& session, const std::vector<int>& others,
                           const std::vector<Configuration>& plan);

}  // namespace rooftile::cli
