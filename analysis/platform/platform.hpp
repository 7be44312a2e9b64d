// Everything that belongs to the operating system. One implementation file for each; the rest of rooftile is
// portable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rooftile::platform {

std::filesystem::path executable_directory();
// The folder that bin/, lib/ and share/ of this installation stand in, or the folder above bin/ of a build.
// Also for code in a library that is loaded into another program, from bin/ or lib/rooftile/.
std::filesystem::path installation();
std::filesystem::path home_folder();           // of the user; empty where there is none
std::filesystem::path user_cache_directory();  // .../rooftile, created on demand
std::filesystem::path user_state_directory();  // journals and settings, likewise
// The folder of what the user wrote for rooftile; empty where there is none: it is never created.
std::optional<std::filesystem::path> user_configuration_directory();
std::string host_name();
bool standard_error_is_terminal();
// A standard stream that was closed stays useless: no file that is opened later takes its place.
void guard_standard_streams();
// Memory that the program frees stays with it: for a program that allocates and frees the same again and again.
void keep_freed_memory();
// While it lives, this program gets at most so much more memory; a request for more fails. In one thread at a
// time.
class MemoryLimit {
 public:
  explicit MemoryLimit(std::size_t bytes);
  ~MemoryLimit();
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

 private:
  std::uint64_t before_ = 0;
};

// From now on every other program gets the processor first.
void let_others_go_first();

// The folder that holds assets/ and kernels/: ROOFTILE_DATA, else beside an installed program, else the source
// tree. Throws Error naming the places that were tried.
std::filesystem::path data_directory();

// This system's file name of a library of that name and version: "libcuda.so.1", without a version
// "libcuda.so".
std::string library_file(std::string_view name, std::string_view version = "");

// A symbol as C++ writes it: "sum(float const*, int)"; unchanged where it is no name of C++. Without the name
// that nvcc makes up for the file of a static variable, another in each run.
std::string demangled(const std::string& symbol);

// A library loaded at run time; never closed, since drivers do not survive it.
class DynamicLibrary {
 public:
  // The first candidate that loads; empty when none does. `tried` says why, one line each.
  static std::optional<DynamicLibrary> open(const std::vector<std::string>& candidates,
                                            std::string* tried = nullptr);
  void* symbol(const char* name) const;  // nullptr when absent
  std::string file() const;              // the file really taken
  // Loads a library that this one will ask for by name alone, if it lies beside it; else the system's search
  // decides.
  void load_from_beside(const std::string& name) const;

 private:
  void* handle_ = nullptr;
  std::string name_;
};

// A program with its standard input and output on pipes, its standard error appended to a log file.
// One thread may read while another writes; asking after the program and killing it is for any thread. The
// program may be one that starts another, as conda run, srun and sudo do.
class ChildProcess {
 public:
  // Throws Error when the program is not there.
  ChildProcess(const std::vector<std::string>& command, const std::filesystem::path& error_log);
  ~ChildProcess();  // closes input, waits briefly, then kills
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  bool write_line(std::string_view line);  // false once the program is gone
  // Blocks for the next whole line; empty once the program has closed its output, or was killed and all it
  // wrote has been read. A line of more than longest_line loses its end.
  std::optional<std::string> read_line();
  void close_input();
  void kill();  // with all that it has started
  bool running();
  // "ended with status 1", "was ended by signal 11 (Segmentation fault)"; empty while it runs.
  std::optional<std::string> how_it_ended();

 private:
  void reap();
  bool has_output() const;
  void keep(std::string_view read);

  int pid_ = -1;
  int input_ = -1;
  int output_ = -1;
  int killed_ = -1;  // an event that read_line() hears of
  std::mutex status_mutex_;
  std::optional<int> status_;  // as waitpid gives it
  std::string buffer_;         // read, but not yet a whole line
};

}  // namespace rooftile::platform
