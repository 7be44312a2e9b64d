#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>
#include <utility>

#include "analysis/platform/platform.hpp"
#include "analysis/record/records.hpp"
#include "analysis/text/error.hpp"

extern char** environ;

namespace rooftile::platform {
namespace {

constexpr auto grace = std::chrono::seconds(1);
constexpr auto glance = std::chrono::milliseconds(2);

void close_once(int& descriptor) {
  if (const int open = std::exchange(descriptor, -1); open >= 0) {
    ::close(open);
  }
}

struct Pipe {
  int read_end = -1;
  int write_end = -1;

  // Close-on-exec: a second child must not hold the first one's pipes open.
  Pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
      throw Error(std::string("cannot make a pipe: ") + strerror(errno));
    }
    read_end = ends[0];
    write_end = ends[1];
  }
  ~Pipe() {
    close_once(read_end);
    close_once(write_end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
};

// The two pipes, the log, and no signal blocked or ignored: a child starts with these.
class SpawnSetup {
 public:
  SpawnSetup(int input, int output, const std::string& error_log) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_adddup2(&actions_, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, error_log.c_str(), O_WRONLY | O_CREAT | O_APPEND,
                                     0644);
    posix_spawnattr_init(&attributes_);
    sigset_t none, pipe_only;
    sigemptyset(&none);
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &pipe_only);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnSetup() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnSetup(const SpawnSetup&) = delete;
  SpawnSetup& operator=(const SpawnSetup&) = delete;

  int spawn(const std::vector<std::string>& command, pid_t* pid) const {
    std::vector<char*> arguments;
    for (const std::string& argument : command) {
      arguments.push_back(const_cast<char*>(argument.c_str()));
    }
    arguments.push_back(nullptr);
    return posix_spawnp(pid, arguments[0], &actions_, &attributes_, arguments.data(), environ);
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

// Writing to a program that is gone raises SIGPIPE, which would end us. It is blocked in this thread alone, and
// taken back before it is unblocked.
class WithoutSigpipe {
 public:
  WithoutSigpipe() {
    sigemptyset(&pipe_only_);
    sigaddset(&pipe_only_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_only_, &before_);
  }
  ~WithoutSigpipe() {
    const timespec now{};
    while (sigtimedwait(&pipe_only_, nullptr, &now) == SIGPIPE) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  WithoutSigpipe(const WithoutSigpipe&) = delete;
  WithoutSigpipe& operator=(const WithoutSigpipe&) = delete;

 private:
  sigset_t pipe_only_{}, before_{};
};

bool write_all(int descriptor, std::string_view bytes) {
  const WithoutSigpipe guard;
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) {
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
  }
  return true;
}

// The parent in "/proc/PID/stat": "PID (name) state parent ...", where the name may hold anything.
pid_t parent_of(const std::filesystem::path& process) {
  std::ifstream in(process / "stat");
  std::string stat;
  std::getline(in, stat, '\0');  // sets a bit where the process has ended meanwhile; an iterator would throw
  const auto after_name = stat.rfind(')');
  constexpr std::size_t to_parent = 4;  // ") S "
  pid_t parent = 0;
  if (after_name != std::string::npos && after_name + to_parent < stat.size()) {
    std::from_chars(stat.data() + after_name + to_parent, stat.data() + stat.size(), parent);
  }
  return parent;
}

std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> children;
  std::error_code failed;
  for (std::filesystem::directory_iterator at("/proc", failed), end; !failed && at != end;
       at.increment(failed)) {
    const std::string name = at->path().filename().string();
    pid_t process = 0;
    const bool is_process =
        std::from_chars(name.data(), name.data() + name.size(), process).ptr == name.data() + name.size();
    if (is_process && parent_of(at->path()) == parent) {
      children.push_back(process);
    }
  }
  return children;
}

// The process is stopped first, so that it neither starts a child nor loses one meanwhile. A process group of
// its own would be simpler to end, but Ctrl-C would not reach it, nor the terminal ssh when it asks for a
// password.
void kill_with_children(pid_t process) {
  ::kill(process, SIGSTOP);
  for (const pid_t child : children_of(process)) {
    kill_with_children(child);
  }
  ::kill(process, SIGKILL);
}

void check_log(const std::filesystem::path& error_log) {
  if (std::error_code none; std::filesystem::is_fifo(error_log, none)) {  // opening it would wait for a reader
    throw Error("cannot write the log " + error_log.string() + ": it is a pipe");
  }
  const int descriptor = ::open(error_log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (descriptor < 0) {
    throw Error("cannot write the log " + error_log.string() + ": " + strerror(errno));
  }
  ::close(descriptor);
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& command, const std::filesystem::path& error_log) {
  if (command.empty()) {
    throw Error("there is no program to start");
  }
  check_log(error_log);
  Pipe to_child, from_child;
  killed_ = ::eventfd(0, EFD_CLOEXEC);
  const int failure =
      SpawnSetup(to_child.read_end, from_child.write_end, error_log.string()).spawn(command, &pid_);
  if (failure != 0) {
    throw Error("cannot start " + command[0] + ": " + strerror(failure));
  }
  input_ = std::exchange(to_child.write_end, -1);
  output_ = std::exchange(from_child.read_end, -1);
}

ChildProcess::~ChildProcess() {
  close_input();
  close_once(output_);
  for (const auto end = std::chrono::steady_clock::now() + grace;
       running() && std::chrono::steady_clock::now() < end;) {
    std::this_thread::sleep_for(glance);
  }
  kill();
  if (!status_) {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
  }
  close_once(killed_);
}

bool ChildProcess::write_line(std::string_view line) {
  return input_ >= 0 && write_all(input_, std::string(line) + "\n");
}

std::optional<std::string> ChildProcess::read_line() {
  std::array<char, 65536> chunk{};
  std::size_t searched = 0;
  for (;;) {
    if (const auto end = buffer_.find('\n', searched); end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return line;
    }
    searched = buffer_.size();
    if (!has_output()) {
      return std::nullopt;
    }
    const ssize_t count = ::read(output_, chunk.data(), chunk.size());
    if (count == 0 || (count < 0 && errno != EINTR)) {
      return std::nullopt;
    }
    keep({chunk.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0))});
  }
}

// Blocks until there is output, or its end. After a kill, a process that the kill did not reach may hold the
// pipe open.
bool ChildProcess::has_output() const {
  std::array<pollfd, 2> either = {{{output_, POLLIN, 0}, {killed_, POLLIN, 0}}};
  while (::poll(either.data(), either.size(), -1) < 0 && errno == EINTR) {
  }
  return either[0].revents != 0;
}

// A line that does not end is kept up to a length that is refused.
void ChildProcess::keep(std::string_view read) {
  if (buffer_.size() > longest_line) {
    read.remove_prefix(std::min(read.find('\n'), read.size()));
  }
  buffer_.append(read);
}

void ChildProcess::close_input() {
  close_once(input_);
}

void ChildProcess::kill() {
  const std::lock_guard lock(status_mutex_);
  reap();
  if (!status_) {
    kill_with_children(pid_);
  }
  const std::uint64_t once = 1;
  [[maybe_unused]] const auto written = ::write(killed_, &once, sizeof once);
}

bool ChildProcess::running() {
  const std::lock_guard lock(status_mutex_);
  reap();
  return !status_;
}

std::optional<std::string> ChildProcess::how_it_ended() {
  const std::lock_guard lock(status_mutex_);
  reap();
  if (!status_) {
    return std::nullopt;
  }
  if (WIFEXITED(*status_)) {
    return "ended with status " + std::to_string(WEXITSTATUS(*status_));
  }
  const int signal = WTERMSIG(*status_);
  return "was ended by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
}

void ChildProcess::reap() {
  int status = 0;
  if (!status_ && waitpid(pid_, &status, WNOHANG) == pid_) {
    status_ = status;
  }
}

}  // namespace rooftile::platform
