// Where the points of a report come from.
#pragma once

#include <filesystem>
#include <string>

#include "analysis/session_file.hpp"
#include "app/cli/options.hpp"

namespace rooftile::cli {

struct ReportSource {
  SessionLog log;
  std::string origin;  // "recorded in h200.jsonl", "measured now"
};

// The named session; without a name what a device measures now; without a device the newest bundled recording.
ReportSource report_source(const Options& options, const std::filesystem::path& session);

// Of those that come with rooftile. Throws Error when there is none.
std::filesystem::path newest_recording();

}  // namespace rooftile::cli
