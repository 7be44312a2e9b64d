// A source with the headers of its owner that it includes.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/exchange/compile_commands.hpp"

namespace rooftile::worker {

struct OwnHeader {
  std::string name;  // as it is included: "../common/tile.cuh"
  std::filesystem::path file;
  std::string code;
};

// A folder that nobody asked for, where a header was found by its name.
struct FoundFolder {
  std::filesystem::path folder;
  std::string header;
};

struct SourceFiles {
  std::filesystem::path file;
  std::string code;
  std::vector<OwnHeader> headers;              // those that they include too
  std::vector<std::string> missing;            // included, and nowhere to be found
  std::vector<std::string> of_toolkit;         // as they are included
  std::vector<std::filesystem::path> folders;  // where the compiler finds them, the toolkit's last
  std::vector<FoundFolder> found = {};
  bool is_changed = false;  // the code is no longer what the file holds
  bool all_known = true;    // no macro stands for the name of a file
};

// True for the names of headers of C, C++ and the system, <vector>, <stdio.h>, <sys/time.h>, and of HIP, which
// stand behind an #if. A repository may have files of these names that are nobody's <vector>.
bool is_of_system(std::string_view header);

// True if the text names instructions that an architecture does not hand on to later ones, as wgmma of sm_90a.
bool names_specific_instructions(const SourceFiles& files);

// Throws Error naming the file when it cannot be read.
std::string read_source(const std::filesystem::path& file);

// The folder of a source; of one that is named without, the current one.
std::filesystem::path folder_of(const std::filesystem::path& source);

// The folder of the repository that the folder lies in: the nearest with .git, else the outermost below the
// user's home that looks like one, by a README or a licence for example; else the folder itself.
std::filesystem::path repository_around(const std::filesystem::path& folder);

// The options of the project that the source belongs to: of the compile_commands.json in its folder or its
// build folder, or in those above, up to the root of its repository. Throws Error where that file cannot be
// read.
CompileOptions project_options(const std::filesystem::path& source);

// include_folders: those that were asked for. A header that is neither there nor beside the file that includes
// it is looked for by its name in the folders around the source, up to the root of its repository. Throws Error
// where the source cannot be read.
SourceFiles read_source_files(const std::filesystem::path& source,
                              const std::vector<std::filesystem::path>& include_folders);

}  // namespace rooftile::worker
