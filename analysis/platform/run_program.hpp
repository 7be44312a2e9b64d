// Runs somebody's program as a shell would: on our own standard streams, until it ends.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace rooftile::platform {

struct ProgramEnd {
  int status = 0;      // as a shell has it: 128 + the signal where one ended it
  std::string signal;  // "Segmentation fault"; empty where it ended by itself
};

enum class ProgramOutput { own, to_standard_error };

// Variables come on top of our environment. Interrupts from the terminal are for the program alone; an order to
// end is handed on to it. Throws Error where the program cannot be started.
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
