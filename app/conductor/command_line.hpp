// The command line of the window.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/exchange/compile_commands.hpp"
#include "analysis/record/program/profile_options.hpp"
#include "app/scene/paper/theme.hpp"

namespace rooftile::conductor {

using namespace scene;

struct CommandLine {
  std::optional<std::filesystem::path> session;       // empty: live, or the newest bundled recording
  std::vector<std::filesystem::path> beside;          // sessions that it is compared with
  std::vector<std::filesystem::path> sources;         // CUDA sources to open
  std::optional<std::filesystem::path> lesson;        // to play
  CompileOptions given;                               // folders of headers and macros for these
  bool live = false;                                  // even where no GPU is found
  std::vector<std::string> worker;                    // command of another worker
  std::string on;                                     // a host for ssh to measure on; empty: this machine
  std::optional<int> device;                          // of the machine's GPUs; empty: its first
  std::vector<std::filesystem::path> kernel_folders;  // of the user's kernels
  std::vector<std::filesystem::path> gpu_files;       // of the user's GPUs
  std::filesystem::path journal;                      // empty: a new file in the user's state directory
  std::optional<std::filesystem::path> screenshot;
  std::optional<std::filesystem::path> times;  // a file for how fast the window is
  std::optional<std::pair<int, int>> size;
  std::optional<Theme> theme;
  std::optional<float> scale;
  std::optional<std::string> gpu, kernel;
  std::vector<std::pair<std::string, double>> values;
  std::vector<std::string> program;  // to be run and counted, with its arguments; empty: none
  ProfileOptions profile;            // of the program
};

// Empty when the program is done already (help, or a wrong option was explained); `status` is its exit status.
std::optional<CommandLine> parse_command_line(int argc, const char* const* argv, int& status);

}  // namespace rooftile::conductor
