// Where the headers of a source are looked for, and what may change without the source.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rooftile::worker {

// The folder of a source; of one that is named without, the current one.
std::filesystem::path folder_of(const std::filesystem::path& source);

// For the compiler: where the headers of the source are. Of one that includes nothing, that it needs none of
// the runtime's types either, which takes a third of the time.
std::vector<std::string> header_options(const std::string& code,
                                        const std::vector<std::filesystem::path>& own_folders);

// Whether the source includes what lies in one of these folders, or may do so: a toolkit's headers change with
// the compiler, others by themselves.
bool includes_own_files(const std::string& code, const std::vector<std::filesystem::path>& own_folders);

}  // namespace rooftile::worker
