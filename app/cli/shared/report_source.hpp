// The source of a report's points.
#pragma once

#include <filesystem>
#include <string>

#include "analysis/record/session_file.hpp"
#include "app/cli/shared/options.hpp"

namespace rooftile::cli {

struct ReportSource {
  SessionLog log;
  std::string origin;  // "recorded in a.jsonl", "measured now"
};

// A session file; tells on standard error of the lines that are left out.
SessionLog session_in(const std::filesystem::path& file);

// The named session; without a name what this machine's device measures now; without a device, or where another
// GPU is meant, the bundled recording.
ReportSource report_source(const Options& options, const std::filesystem::path& session,
                           const std::string& gpu);

// The one that comes with rooftile. Throws Error when there is none.
std::filesystem::path recorded_session();

// The session's GPU of that name; without a name its first. Throws UsageError with the GPUs that it holds.
const Gpu& gpu_of(const SessionLog& log, const std::string& name);

}  // namespace rooftile::cli
