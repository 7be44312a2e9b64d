#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <sstream>

#include "analysis/platform/platform.hpp"
#include "analysis/platform/run_program.hpp"
#include "analysis/text/error.hpp"

extern char** environ;

namespace rooftile::platform {
namespace {

std::atomic<pid_t> running_program = 0;
std::atomic<bool> order_came = false;

void hand_on(int signal) {
  order_came = true;
  if (const pid_t program = running_program; program > 0) {
    ::kill(program, signal);
  }
}

// An order to end waits until there is a program to hand it on to.
class OrdersHeldBack {
 public:
  OrdersHeldBack() {
    sigset_t orders;
    sigemptyset(&orders);
    sigaddset(&orders, SIGTERM);
    sigaddset(&orders, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &orders, &before_);
  }
  ~OrdersHeldBack() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  OrdersHeldBack(const OrdersHeldBack&) = delete;
  OrdersHeldBack& operator=(const OrdersHeldBack&) = delete;

  void let_through_in(posix_spawnattr_t& attributes) const {
    posix_spawnattr_setsigmask(&attributes, &before_);
  }

 private:
  sigset_t before_{};
};

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> all;
  for (const std::string& word : words) {
    all.push_back(const_cast<char*>(word.c_str()));
  }
  all.push_back(nullptr);
  return all;
}

std::vector<std::string> environment_with(const std::map<std::string, std::string>& variables) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string line = *entry;
    if (!variables.contains(line.substr(0, line.find('=')))) {
      all.push_back(line);
    }
  }
  for (const auto& [name, value] : variables) {
    all.push_back(name + "=" + value);
  }
  return all;
}

// Empty where it can be started. A mistake that the system alone knows is told at the start.
std::string why_not_startable(const std::filesystem::path& program) {
  std::error_code unknown;
  const auto status = std::filesystem::status(program, unknown);
  if (status.type() == std::filesystem::file_type::not_found) {
    return "there is no such file. Correct its path.";
  }
  if (status.type() == std::filesystem::file_type::directory) {
    return "it is a folder. Name the program in it.";
  }
  if (::access(program.c_str(), X_OK) != 0 && errno == EACCES) {
    return "it may not be executed. Allow it with chmod +x, or write its interpreter before it, as in: "
           "python3 " +
           program.string();
  }
  return {};
}

bool is_in_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "/bin:/usr/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (why_not_startable(std::filesystem::path(folder.empty() ? "." : folder) / program).empty()) {
      return true;
    }
  }
  return false;
}

ProgramEnd end_of(int status) {
  if (WIFEXITED(status)) {
    return {WEXITSTATUS(status), ""};
  }
  return {128 + WTERMSIG(status), strsignal(WTERMSIG(status))};
}

}  // namespace

// Handles signals while the program runs: signals of the terminal reach the program anyway.
class RunningProgram::Signals {
 public:
  Signals() {
    for (std::size_t i = 0; i < before_.size(); ++i) {
      struct sigaction action {};
      action.sa_handler = signals_[i] == SIGTERM || signals_[i] == SIGHUP ? hand_on : SIG_IGN;
      sigaction(signals_[i], &action, &before_[i]);
    }
  }
  ~Signals() {
    for (std::size_t i = 0; i < before_.size(); ++i) {
      sigaction(signals_[i], &before_[i], nullptr);
    }
  }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  // Gives the program the signals as they were for us when we were started.
  void restore_in(posix_spawnattr_t& attributes) const {
    sigset_t defaults;
    sigemptyset(&defaults);
    for (std::size_t i = 0; i < before_.size(); ++i) {
      if (before_[i].sa_handler != SIG_IGN) {
        sigaddset(&defaults, signals_[i]);
      }
    }
    posix_spawnattr_setsigdefault(&attributes, &defaults);
  }

 private:
  static constexpr std::array signals_ = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
  std::array<struct sigaction, signals_.size()> before_{};
};

void expect_program(const std::vector<std::string>& command) {
  const std::string& program = command.front();
  const std::string why_not = program.find('/') != std::string::npos ? why_not_startable(program)
                              : is_in_path(program)
                                  ? ""
                                  : "no folder of PATH holds it. Write its path, as in: ./" + program;
  if (!why_not.empty()) {
    throw Error("cannot start " + program + ": " + why_not);
  }
}

InterruptsIgnored::InterruptsIgnored() : before_(::signal(SIGINT, SIG_IGN)) {}

InterruptsIgnored::~InterruptsIgnored() {
  ::signal(SIGINT, before_);
}

RunningProgram::RunningProgram(const std::vector<std::string>& command,
                               const std::map<std::string, std::string>& variables, ProgramOutput output)
    : signals_(std::make_unique<Signals>()) {
  expect_program(command);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  if (output == ProgramOutput::to_standard_error) {
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  }
  const OrdersHeldBack held_back;
  signals_->restore_in(attributes);
  held_back.let_through_in(attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  const std::vector<std::string> environment = environment_with(variables);
  const int failure = posix_spawnp(&pid_, command.front().c_str(), &actions, &attributes,
                                   pointers(command).data(), pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (failure != 0) {
    throw Error("cannot start " + command.front() + ": " + strerror(failure));
  }
  running_program = pid_;
}

RunningProgram::~RunningProgram() {
  if (!end()) {
    ::kill(pid_, SIGHUP);
    wait();
  }
}

std::optional<ProgramEnd> RunningProgram::end() {
  int status = 0;
  if (!end_ && waitpid(pid_, &status, WNOHANG) == pid_) {
    take(status);
  }
  return end_;
}

void RunningProgram::tell_to_end() {
  if (!end()) {
    ::kill(pid_, SIGTERM);
  }
}

ProgramEnd RunningProgram::wait() {
  if (!end_) {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    take(status);
  }
  return *end_;
}

bool RunningProgram::told_to_end() {
  return order_came;
}

void RunningProgram::take(int status) {
  running_program = 0;
  signals_.reset();
  end_ = end_of(status);
}

ProgramEnd run_program(const std::vector<std::string>& command,
                       const std::map<std::string, std::string>& variables, ProgramOutput output) {
  return RunningProgram(command, variables, output).wait();
}

// Made in TMPDIR; where that cannot be used, in our cache.
TemporaryFolder::TemporaryFolder() {
  std::error_code no_folder;
  std::string name = (std::filesystem::temp_directory_path(no_folder) / "rooftile-XXXXXX").string();
  if (no_folder || ::mkdtemp(name.data()) == nullptr) {
    name = (user_cache_directory() / "rooftile-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw Error(fmt::format("cannot make a folder {}: {}. Set TMPDIR to a folder that can be written.", name,
                              strerror(errno)));
    }
  }
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code left_behind;
  std::filesystem::remove_all(path_, left_behind);
}

}  // namespace rooftile::platform
