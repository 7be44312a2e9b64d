// A verb that takes a kernel's name takes the path of a user's source as well.
#pragma once

#include <string>
#include <vector>

namespace rooftile::cli {

// The words of the command line in which "path/mine.cu" has become "mine", and "--kernels path" stands first.
// Makes the kernel.toml where there is none yet. Throws Error where none can be made.
std::vector<std::string> with_own_sources(std::vector<std::string> words);

}  // namespace rooftile::cli
