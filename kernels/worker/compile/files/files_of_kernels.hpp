// The files that another machine needs to compile and launch the user's kernels.
#pragma once

#include <filesystem>
#include <vector>

namespace rooftile::worker {

struct FileTree {
  std::filesystem::path root;                // the innermost folder that holds all of them
  std::vector<std::filesystem::path> files;  // below it, in order
};

// Files beside each kernel.toml in the folder or below it, their sources, and the headers that these include,
// but for those of the toolkit. What cannot be read is left out: the other machine tells what it lacks. Throws
// Error if the folder cannot be read.
FileTree files_of_kernels(const std::filesystem::path& folder);

}  // namespace rooftile::worker
