// A source with the headers of its owner that it includes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rooftile::worker {

struct OwnHeader {
  std::string name;  // as it is included: "../common/tile.cuh"
  std::filesystem::path file;
  std::string code;
};

struct SourceFiles {
  std::filesystem::path file;
  std::string code;
  std::vector<OwnHeader> headers;              // those that they include too
  std::vector<std::string> missing;            // included, and nowhere to be found
  std::vector<std::string> of_toolkit;         // as they are included
  std::vector<std::filesystem::path> folders;  // where the compiler finds them, the toolkit's last
  bool all_known = true;                       // no macro stands for the name of a file
};

// Throws Error naming the file when it cannot be read.
std::string read_source(const std::filesystem::path& file);

// The folder of a source; of one that is named without, the current one.
std::filesystem::path folder_of(const std::filesystem::path& source);

// include_folders: those that were asked for. A header that is neither there nor beside the file that includes
// it is looked for by its name in the folders around the source, up to the root of its repository. Throws Error
// where the source cannot be read.
SourceFiles read_source_files(const std::filesystem::path& source,
                              const std::vector<std::filesystem::path>& include_folders);

}  // namespace rooftile::worker
