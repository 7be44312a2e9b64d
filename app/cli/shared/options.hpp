// The options of every verb.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "analysis/exchange/compile_commands.hpp"
#include "analysis/text/error.hpp"
#include "app/session/worker/launch_limit.hpp"

namespace rooftile::cli {

inline constexpr double shortest_launch_limit_s = 1, longest_launch_limit_s = 86400;

enum ExitStatus { success = 0, failure = 1, bad_usage = 2 };

struct Options {
  bool json = false;
  std::string worker;         // its command as split_command() reads it; empty: beside this program
  std::string on;             // a host for ssh; empty: this machine
  std::optional<int> device;  // of the machine's GPUs, as the driver counts them; empty: its first
  std::vector<std::filesystem::path> kernel_folders;  // beyond the bundled ones
  std::vector<std::filesystem::path> gpu_files;       // likewise
  CompileOptions given;                               // for sources that are opened
  std::string kernel;                                 // of a source that is opened; empty: the one it has
  double launch_limit_s = seconds(usual_launch_limit).value;
};

// A failure in what was asked, not in doing it.
class UsageError : public Error {
 public:
  using Error::Error;
};

}  // namespace rooftile::cli
