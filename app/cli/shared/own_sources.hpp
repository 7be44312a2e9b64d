// A verb that takes a kernel's name takes the path of a user's source as well.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/platform/run_program.hpp"

namespace rooftile::cli {

// The words of the command line in which "path/mine.cu" has become "mine", and "--kernels path" stands first.
// Makes the kernel.toml where there is none yet: beside the source, or in the scratch folder for a verb that
// only answers a question, such as occupancy. Throws Error where none can be made.
std::vector<std::string> with_own_sources(std::vector<std::string> words,
                                          std::optional<platform::TemporaryFolder>& scratch);

}  // namespace rooftile::cli
