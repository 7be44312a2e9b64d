// Advice on compiler messages that a CUDA learner cannot know.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace rooftile::worker {

// A sentence; empty if the messages are clear by themselves. entry: the kernel that was looked for, empty for
// all. missing: headers that the source includes and that are nowhere.
std::string compile_hint(std::string_view log, std::string_view entry, const std::vector<std::string>& missing);

// The hint, and the compiler's messages from its first error on.
std::string refusal(const std::filesystem::path& source, const std::string& log, std::string_view entry,
                    const std::vector<std::string>& missing);

}  // namespace rooftile::worker
