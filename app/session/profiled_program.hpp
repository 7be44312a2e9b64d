// A program of the user's, with the library in it that counts and times its kernels, and its records so far.
// The programs that it starts are counted too.
#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analysis/platform/loader_evidence.hpp"
#include "analysis/platform/questions.hpp"
#include "analysis/platform/run_program.hpp"
#include "analysis/record/program/profile_options.hpp"
#include "analysis/record/session_file.hpp"

namespace rooftile {

class ProfiledProgram {
 public:
  // Starts the program; the folder of its records is chosen here. Throws Error if the library cannot be loaded
  // or the program cannot be started.
  ProfiledProgram(const std::vector<std::string>& command, const ProfileOptions& options,
                  platform::ProgramOutput output = platform::ProgramOutput::own);

  std::optional<platform::ProgramEnd> end() { return program_.end(); }  // empty while it runs; never blocks
  platform::ProgramEnd wait() { return program_.wait(); }               // blocks until it ends
  void tell_to_end() { program_.tell_to_end(); }

  // A sentence for a program of which no process has recorded anything, once it has ended.
  std::string why_not_loaded();

  // Takes what was recorded since the last call; true where there was anything.
  bool read_on();
  // A log for each process that has recorded anything.
  const std::deque<SessionLog>& processes() const { return processes_; }
  // The points of all processes brought together, and the GPUs they ran on; the header is the last one's.
  SessionLog merged() const;
  // Sentences on records that could not be read, each told once.
  std::vector<std::string> take_troubles() { return std::exchange(troubles_, {}); }

 private:
  // One process's file, as far as it was read.
  struct Following {
    SessionReader reader;
    std::uintmax_t bytes_read = 0;
    bool broken = false;
  };
  bool read_on(const std::filesystem::path& file);
  Following& following(const std::filesystem::path& file);

  platform::TemporaryFolder records_;
  platform::Answerer names_;    // of kernels and ranges, asked for by the library
  platform::OpenWatch driver_;  // of CUDA
  platform::RunningProgram program_;
  std::deque<SessionLog> processes_;
  std::map<std::filesystem::path, Following> files_;
  bool told_of_folder_ = false;
  std::vector<std::string> troubles_;
};

}  // namespace rooftile
