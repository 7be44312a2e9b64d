// What to do about the words of a compiler that a CUDA learner cannot know.
#pragma once

#include <string>
#include <string_view>

namespace rooftile::worker {

// A sentence; empty where the words speak for themselves. entry: the kernel that was looked for, empty for all.
std::string compile_hint(std::string_view log, std::string_view entry);

}  // namespace rooftile::worker
