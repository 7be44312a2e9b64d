#include <cxxabi.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <pwd.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <system_error>

#include "analysis/platform/platform.hpp"
#include "analysis/platform/write_file.hpp"
#include "analysis/text/error.hpp"

namespace rooftile::platform {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::filesystem::path home() {
  const std::filesystem::path found = home_folder();
  if (found.empty()) {
    throw Error("there is no home directory for caches and journals: set HOME");
  }
  return found;
}

// XDG Base Directory Specification: the variable counts only when it is absolute.
std::filesystem::path user_directory(const char* variable, const char* below_home) {
  const std::filesystem::path set = environment(variable);
  return (set.is_absolute() ? set : home() / below_home) / "rooftile";
}

std::filesystem::path made(std::filesystem::path directory) {
  make_folder(directory);
  return directory;
}

bool holds_data(const std::filesystem::path& directory) {
  return std::filesystem::is_directory(directory / "assets") &&
         std::filesystem::is_directory(directory / "kernels");
}

}  // namespace

std::filesystem::path home_folder() {
  const std::string set = environment("HOME");
  const passwd* user = set.empty() ? getpwuid(getuid()) : nullptr;
  return user && user->pw_dir ? user->pw_dir : set;
}

std::filesystem::path executable_directory() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

std::filesystem::path installation() {
  Dl_info own{};
  const bool found = dladdr(reinterpret_cast<const void*>(&installation), &own) != 0;
  const std::filesystem::path file = found ? own.dli_fname : "";  // of a program: as it was started
  const std::filesystem::path folder = file.is_absolute() ? file.parent_path() : executable_directory();
  return (folder / (folder.filename() == "rooftile" ? "../.." : "..")).lexically_normal();
}

std::filesystem::path user_cache_directory() {
  return made(user_directory("XDG_CACHE_HOME", ".cache"));
}

std::filesystem::path user_state_directory() {
  return made(user_directory("XDG_STATE_HOME", ".local/state"));
}

std::optional<std::filesystem::path> user_configuration_directory() {
  try {
    const std::filesystem::path directory = user_directory("XDG_CONFIG_HOME", ".config");
    return std::filesystem::is_directory(directory) ? std::optional(directory) : std::nullopt;
  } catch (const std::exception&) {  // no home, or one that must not be looked into
    return std::nullopt;
  }
}

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

bool standard_error_is_terminal() {
  return isatty(STDERR_FILENO) == 1;
}

// open() takes the lowest free descriptor, which is this stream's. The direction is the wrong one, so that
// using the stream still fails.
void guard_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) < 0) {
      static_cast<void>(::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
    }
  }
}

void keep_freed_memory() {
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the largest it takes
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

// Limits how far the address space may still grow: a driver or a sanitizer has taken terabytes of it by now.
MemoryLimit::MemoryLimit(std::size_t bytes) {
  rlimit limit{};
  getrlimit(RLIMIT_AS, &limit);
  before_ = limit.rlim_cur;
  std::ifstream in("/proc/self/statm");
  rlim_t pages = 0;
  if (in >> pages) {
    const rlim_t most = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + bytes;
    limit.rlim_cur = std::min(most, limit.rlim_cur);
    setrlimit(RLIMIT_AS, &limit);
  }
}

MemoryLimit::~MemoryLimit() {
  rlimit limit{};
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = before_;
  setrlimit(RLIMIT_AS, &limit);
}

void let_others_go_first() {
  setpriority(PRIO_PROCESS, 0, std::max(getpriority(PRIO_PROCESS, 0), 10));
}

std::filesystem::path data_directory() {
  if (const std::string set = environment("ROOFTILE_DATA"); !set.empty()) {
    if (!holds_data(set)) {
      throw Error("ROOFTILE_DATA names " + set + ", which does not hold assets/ and kernels/");
    }
    return set;
  }
  const std::filesystem::path installed = installation() / "share/rooftile";
  const std::filesystem::path source = ROOFTILE_SOURCE_DIR;
  for (const std::filesystem::path& directory : {installed, source}) {
    if (holds_data(directory)) {
      return directory;
    }
  }
  throw Error("assets/ and kernels/ are neither in " + installed.string() + " nor in " + source.string() +
              "; set ROOFTILE_DATA to the folder that holds them");
}

std::string demangled(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) {  // as a type "a" would be "signed char"
    return symbol;
  }
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
  const std::string text = status == 0 ? name.get() : symbol;
  const std::size_t scope = text.starts_with("_INTERNAL_") ? text.find("::") : text.npos;
  return scope == text.npos ? text : text.substr(scope + 2);
}

std::string library_file(std::string_view name, std::string_view version) {
  const std::string file = "lib" + std::string(name) + ".so";
  return version.empty() ? file : file + "." + std::string(version);
}

std::optional<DynamicLibrary> DynamicLibrary::open(const std::vector<std::string>& candidates,
                                                   std::string* tried) {
  for (const std::string& candidate : candidates) {
    DynamicLibrary library;
    library.name_ = candidate;
    library.handle_ = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library.handle_) {
      return library;
    }
    if (tried) {
      *tried += std::string(dlerror()) + "\n";
    }
  }
  return std::nullopt;
}

void* DynamicLibrary::symbol(const char* name) const {
  return dlsym(handle_, name);
}

std::string DynamicLibrary::file() const {
  const link_map* map = nullptr;
  const bool known = dlinfo(handle_, RTLD_DI_LINKMAP, &map) == 0 && map->l_name[0] != '\0';
  return known ? map->l_name : name_;
}

void DynamicLibrary::load_from_beside(const std::string& name) const {
  const auto neighbour = std::filesystem::path(file()).parent_path() / name;
  dlopen(neighbour.c_str(), RTLD_NOW | RTLD_LOCAL);  // the loader knows it by its name from now on
}

}  // namespace rooftile::platform
