// Runs somebody's program as a shell would, on our own standard streams.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rooftile::platform {

struct ProgramEnd {
  int status = 0;      // as a shell has it: 128 + the signal where a signal ended it
  std::string signal;  // "Segmentation fault"; empty where it ended by itself
};

enum class ProgramOutput { own, to_standard_error };

// While it lives, interrupts from the terminal do not reach us, nor what we start meanwhile.
class InterruptsIgnored {
 public:
  InterruptsIgnored();
  ~InterruptsIgnored();
  InterruptsIgnored(const InterruptsIgnored&) = delete;
  InterruptsIgnored& operator=(const InterruptsIgnored&) = delete;

 private:
  void (*before_)(int);
};

// Throws Error, which says what to do, where the command's first word names no program.
void expect_program(const std::vector<std::string>& command);

// One at a time. While it runs, interrupts from the terminal are for it alone, and an order to end (SIGTERM,
// SIGHUP) is handed on to it.
class RunningProgram {
 public:
  // Variables come on top of our environment. Throws Error where the program cannot be started.
  RunningProgram(const std::vector<std::string>& command, const std::map<std::string, std::string>& variables,
                 ProgramOutput output = ProgramOutput::own);
  ~RunningProgram();  // one that still runs is told that its terminal closes (SIGHUP), and waited for
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  std::optional<ProgramEnd> end();  // empty while it runs; never blocks
  ProgramEnd wait();                // blocks until it ends
  void tell_to_end();               // as `kill` does (SIGTERM)
  static bool told_to_end();        // an order to end has come, which was handed on

 private:
  class Signals;
  void take(int status);

  std::unique_ptr<Signals> signals_;  // until it has ended
  int pid_ = 0;
  std::optional<ProgramEnd> end_;
};

// The same until it ends.
ProgramEnd run_program(const std::vector<std::string>& command,
                       const std::map<std::string, std::string>& variables,
                       ProgramOutput output = ProgramOutput::own);

// A folder that nobody else has, removed in the end with all it holds.
class TemporaryFolder {
 public:
  TemporaryFolder();  // throws Error where none can be made
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace rooftile::platform
