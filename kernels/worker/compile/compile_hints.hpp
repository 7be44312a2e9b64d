// Advice on compiler messages that a CUDA learner cannot know.
#pragma once

#include <string>
#include <string_view>

namespace rooftile::worker {

// A sentence; empty if the messages are clear by themselves. entry: the kernel that was looked for, empty for
// all.
std::string compile_hint(std::string_view log, std::string_view entry);

}  // namespace rooftile::worker
