// How a worker is started, and where it says what goes wrong with it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rooftile {

// command: empty for rooftile-worker beside this program.
std::vector<std::string> worker_command(const std::vector<std::string>& command,
                                        const std::vector<std::filesystem::path>& kernel_folders);

// Beside the journal; nowhere without one.
std::filesystem::path error_log(const std::filesystem::path& journal, const std::string& part = "");
std::string last_line(const std::filesystem::path& file);  // that is not empty

}  // namespace rooftile
