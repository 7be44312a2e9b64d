#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>

#include "analysis/error.hpp"
#include "analysis/platform/run_program.hpp"

extern char** environ;

namespace rooftile::platform {
namespace {

std::atomic<pid_t> running_program = 0;

void hand_on(int signal) {
  if (const pid_t program = running_program; program > 0) {
    ::kill(program, signal);
  }
}

// What becomes of signals while the program runs: those of the terminal reach it anyway.
class SignalsForTheProgram {
 public:
  SignalsForTheProgram() {
    for (std::size_t i = 0; i < before_.size(); ++i) {
      struct sigaction action {};
      action.sa_handler = signals_[i] == SIGTERM || signals_[i] == SIGHUP ? hand_on : SIG_IGN;
      sigaction(signals_[i], &action, &before_[i]);
    }
  }
  ~SignalsForTheProgram() {
    for (std::size_t i = 0; i < before_.size(); ++i) {
      sigaction(signals_[i], &before_[i], nullptr);
    }
  }
  SignalsForTheProgram(const SignalsForTheProgram&) = delete;
  SignalsForTheProgram& operator=(const SignalsForTheProgram&) = delete;

  // As they were for us when we were started.
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

void spawn(const std::vector<std::string>& command, const std::map<std::string, std::string>& variables,
           ProgramOutput output, const SignalsForTheProgram& signals) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  if (output == ProgramOutput::to_standard_error) {
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  }
  const OrdersHeldBack held_back;
  signals.restore_in(attributes);
  held_back.let_through_in(attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  const std::vector<std::string> environment = environment_with(variables);
  pid_t program = 0;
  const int failure = posix_spawnp(&program, command.front().c_str(), &actions, &attributes,
                                   pointers(command).data(), pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (failure != 0) {
    throw Error("cannot start " + command.front() + ": " + strerror(failure));
  }
  running_program = program;
}

}  // namespace

ProgramEnd run_program(const std::vector<std::string>& command,
                       const std::map<std::string, std::string>& variables, ProgramOutput output) {
  const SignalsForTheProgram signals;
  spawn(command, variables, output, signals);
  int status = 0;
  while (waitpid(running_program, &status, 0) < 0 && errno == EINTR) {
  }
  running_program = 0;
  if (WIFEXITED(status)) {
    return {WEXITSTATUS(status), ""};
  }
  const char* name = sigdescr_np(WTERMSIG(status));
  return {128 + WTERMSIG(status), name != nullptr ? name : "an unknown signal"};
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "rooftile-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw Error("cannot make a folder " + name + ": " + strerror(errno));
  }
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code left_behind;
  std::filesystem::remove_all(path_, left_behind);
}

}  // namespace rooftile::platform
