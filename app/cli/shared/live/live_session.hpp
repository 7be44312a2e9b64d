// A session as a command line drives it: wait for answers, with progress on standard error.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/shared/options.hpp"
#include "app/session/session.hpp"

namespace rooftile::cli {

std::chrono::milliseconds launch_limit(const Options& options);

// journal: empty for one in the user's state directory.
Session start(const Options& options, const std::filesystem::path& journal = {},
              platform::Existing existing = platform::Existing::continued);

// A session that goes on where the one of this file was ended: it knows the launches of the file.
Session resumed(const Options& options, const std::filesystem::path& journal);

void wait_until_started(Session& session);
// A started session on this machine's device. Empty if there is no device, or if `gpu` names another GPU.
std::optional<Session> live_on(const Options& options, const std::string& gpu);
// Waits until nothing is under way or waiting. A terminal sees one line that changes; anything else a line now
// and then.
void wait_until_idle(Session& session);

// Throws Error, with the fix, unless a device is ready to measure.
void expect_device(const Session& session);

// Waits for the answer. Throws Error when none came.
Point ask(Session& session, const Configuration& configuration);
Point answer_to(Session& session, std::uint64_t id);  // of a request that was made already

}  // namespace rooftile::cli
