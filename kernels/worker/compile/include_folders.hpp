// The folders of a source's headers, and whether headers may change without the source.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rooftile::worker {

// The folder of a source; the current one if its name has none.
std::filesystem::path folder_of(const std::filesystem::path& source);

// Compiler options: where the headers of the source are. For a source that includes nothing: that it needs no
// types of the runtime either, which takes a third of the time.
std::vector<std::string> header_options(const std::string& code,
                                        const std::vector<std::filesystem::path>& own_folders);

// Whether the source includes a file of one of these folders, or may do so: a toolkit's headers change with the
// compiler, others by themselves.
bool includes_own_files(const std::string& code, const std::vector<std::filesystem::path>& own_folders);

}  // namespace rooftile::worker
