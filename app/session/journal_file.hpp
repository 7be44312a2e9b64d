// The place of a session's journal if no file is named, and the journal's first line.
#pragma once

#include <memory>

#include "analysis/platform/session_files.hpp"
#include "analysis/record/records.hpp"

namespace rooftile {

// In the user's state directory, named by the time: "sessions/2026-01-31T10-20-30.123Z.jsonl". Throws where
// nothing can be written there.
std::unique_ptr<platform::Journal> new_journal();

Header header_of_now();

}  // namespace rooftile
