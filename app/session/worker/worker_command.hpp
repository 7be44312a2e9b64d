// How a worker is started, and where its errors are written.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace rooftile {

// The words of a command line that names a worker, as a shell splits them: at blanks, except within single or
// double quotes. Nothing else is special. Throws Error for a quote that is not closed.
std::vector<std::string> split_command(std::string_view line);

// command: empty for rooftile-worker beside this program.
std::vector<std::string> worker_command(const std::vector<std::string>& command,
                                        const std::vector<std::filesystem::path>& kernel_folders);

// Starts the worker on another machine by ssh, with the user's own configuration; what that machine lacks is
// copied there first (assets/on_host.sh). host: as ssh takes it, "user@host"; Error for one that ssh would take
// for an option.
std::vector<std::string> command_on(const std::string& host);
// The words for the end of such a worker when the connection is lost. The launch did not cause it.
inline constexpr const char* lost_connection = "ended with status 255";

// The path by which a worker with this command finds the file: a worker other than ours may run elsewhere, even
// on another machine.
std::string path_for_worker(const std::vector<std::string>& command, const std::filesystem::path& path);

// Beside the journal; without a journal there is none.
std::filesystem::path error_log(const std::filesystem::path& journal, const std::string& part = "");
std::string last_line(const std::filesystem::path& file);  // that is not empty

}  // namespace rooftile
