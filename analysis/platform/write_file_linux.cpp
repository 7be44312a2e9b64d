#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fstream>

#include "analysis/platform/write_file.hpp"

namespace rooftile::platform {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t enough_to_recognise = 64 << 10;
constexpr mode_t for_everybody = 0666;  // less what the user's umask takes away
constexpr mode_t for_this_user = 0600;

[[noreturn]] void fail(const fs::path& file, int error) {
  const std::string sentence = fmt::format("{}: cannot be written: {}", file.string(), std::strerror(error));
  if (error == EEXIST) {
    throw NameTaken(sentence);
  }
  throw Error(sentence);
}

[[noreturn]] void fail_since_held(const fs::path& file) {
  throw Error(fmt::format("{} is being written by another rooftile; name another file.", file.string()));
}

std::string beginning_of(const fs::path& file) {
  std::string bytes(enough_to_recognise, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

// The file that a link leads to: the link stays.
fs::path target_of(const fs::path& file) {
  std::error_code failure;
  const fs::path target = fs::canonical(file, failure);
  return failure ? file : target;
}

// Beside the file, and of this program and this call alone.
fs::path part_of(const fs::path& file) {
  static std::atomic<int> calls = 0;
  return fmt::format("{}.{}-{}.part", file.string(), getpid(), ++calls);
}

// 0, else why not all of it was written.
// A write beyond the limit of file sizes (ulimit -f) raises SIGXFSZ, which would end the program, perhaps one
// that we only look at. The write itself fails, too.
class HeldFileSizeSignal {
 public:
  HeldFileSizeSignal() {
    ::sigemptyset(&signal_);
    ::sigaddset(&signal_, SIGXFSZ);
    ::pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  ~HeldFileSizeSignal() {
    constexpr timespec at_once{};
    while (::sigtimedwait(&signal_, nullptr, &at_once) == SIGXFSZ) {
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  HeldFileSizeSignal(const HeldFileSizeSignal&) = delete;
  HeldFileSizeSignal& operator=(const HeldFileSizeSignal&) = delete;

 private:
  sigset_t signal_{}, before_{};
};

int write_whole(int descriptor, std::string_view bytes) {
  const HeldFileSizeSignal held;
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) {
      return errno;
    }
    bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
  }
  return 0;
}

// A full disk or a lost network folder may show only when the file is closed.
int write_new(const fs::path& file, std::string_view bytes) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, for_everybody);
  if (descriptor < 0) {
    return errno;
  }
  const int failure = write_whole(descriptor, bytes);
  const int closing = ::close(descriptor) == 0 ? 0 : errno;
  return failure != 0 ? failure : closing;
}

void keep_permissions(const fs::path& from, const fs::path& to) {
  struct stat known {};
  if (::stat(from.c_str(), &known) == 0) {
    ::chmod(to.c_str(), known.st_mode & 07777u);
  }
}

// The place where the last whole line ends.
std::uintmax_t end_of_lines(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::uintmax_t end = 0;
  for (std::string line; std::getline(in, line) && !in.eof();) {
    end += line.size() + 1;
  }
  return end;
}

// Beside its place, with the permissions of the file that it will replace.
void write_part(const fs::path& part, const fs::path& target, std::string_view bytes) {
  const int failure = write_new(part, bytes);
  keep_permissions(target, part);
  if (failure != 0) {
    ::unlink(part.c_str());
    fail(target, failure);
  }
}

void put_in_place(const fs::path& part, const fs::path& target) {
  if (::rename(part.c_str(), target.c_str()) != 0) {
    const int failure = errno;
    ::unlink(part.c_str());
    fail(target, failure);
  }
}

bool has_lock(const Descriptor& open, int kind) {
  return ::flock(open.number(), kind | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

// It may have been removed or replaced since.
bool is_still_at(const fs::path& file, const Descriptor& open) {
  struct stat opened {
  }, there{};
  return ::fstat(open.number(), &opened) == 0 && ::stat(file.c_str(), &there) == 0 &&
         opened.st_dev == there.st_dev && opened.st_ino == there.st_ino;
}

bool is_held(const fs::path& file) {
  const Descriptor open(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  return open.number() >= 0 && !has_lock(open, LOCK_SH);
}

int open_to_append(const fs::path& file, const FileKind& kind, Existing existing) {
  constexpr int to_append = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
  int descriptor = ::open(file.c_str(), to_append | O_EXCL, for_everybody);
  if (descriptor < 0 && errno == EEXIST && existing == Existing::continued) {
    expect_replaceable(file, kind);
    descriptor = ::open(file.c_str(), to_append, for_everybody);
  }
  if (descriptor < 0) {
    fail(file, errno);
  }
  return descriptor;
}

}  // namespace

const FileKind any_kind = {"a file", [](std::string_view) { return true; }};

void expect_replaceable(const fs::path& file, const FileKind& kind) {
  std::error_code none;
  const fs::file_status status = fs::status(file, none);
  if (!fs::exists(status)) {
    return;
  }
  if (!fs::is_regular_file(status)) {
    throw Error(fmt::format("{} is not a regular file, so nothing is written to it; name another file.",
                            file.string()));
  }
  const std::string text = beginning_of(file);
  if (!text.empty() && !kind.recognises(text)) {
    throw Error(fmt::format("{} exists and is not {}, so it is left as it is; name another file.",
                            file.string(), kind.name));
  }
  if (::access(file.c_str(), W_OK) != 0) {
    fail(file, errno);
  }
  if (is_held(file)) {
    fail_since_held(file);
  }
}

void write_file(const fs::path& file, std::string_view bytes, const FileKind& kind) {
  expect_replaceable(file, kind);
  const fs::path target = target_of(file);
  const fs::path part = part_of(target);
  write_part(part, target, bytes);
  put_in_place(part, target);
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) {
    throw Error("cannot create " + folder.string() + ": " + failure.message());
  }
}

void write_new_file(const fs::path& file, std::string_view bytes) {
  const int failure = write_new(file, bytes);
  if (failure != 0 && failure != EEXIST) {
    ::unlink(file.c_str());
  }
  if (failure != 0) {
    fail(file, failure);
  }
}

Descriptor::~Descriptor() {
  ::close(number_);
}

NewFile::NewFile(const fs::path& file)
    : file_(file), open_(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, for_this_user)) {
  if (open_.number() < 0) {
    fail(file, errno);
  }
}

void NewFile::append(std::string_view bytes) {
  if (const int failure = write_whole(open_.number(), bytes); failure != 0) {
    fail(file_, failure);
  }
}

GrowingFile::GrowingFile(const fs::path& file, const FileKind& kind, Existing existing)
    : file_(file), open_(open_to_append(file, kind, existing)) {
  if (!has_lock(open_, LOCK_EX) || !is_still_at(file, open_)) {
    fail_since_held(file);
  }
  size_ = end_of_lines(file);
  if (::ftruncate(open_.number(), static_cast<off_t>(size_)) != 0) {
    fail(file_, errno);
  }
}

GrowingFile::~GrowingFile() {
  if (size_ == 0 && is_still_at(file_, open_)) {
    ::unlink(file_.c_str());
  }
}

void GrowingFile::append(std::string_view line) {
  const std::string whole = fmt::format("{}\n", line);
  if (const int failure = write_whole(open_.number(), whole); failure != 0) {
    [[maybe_unused]] const int cut = ::ftruncate(open_.number(), static_cast<off_t>(size_));
    fail(file_, failure);
  }
  size_ += whole.size();
}

// The new file is locked before it takes the place of the old one, so that nobody comes between.
void GrowingFile::replace(std::string_view bytes) {
  const fs::path target = target_of(file_);
  const fs::path part = part_of(target);
  write_part(part, target, bytes);
  const Descriptor next(::open(part.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  static_cast<void>(::flock(next.number(), LOCK_EX | LOCK_NB));
  put_in_place(part, target);
  if (::dup3(next.number(), open_.number(), O_CLOEXEC) < 0) {
    fail(file_, errno);
  }
  size_ = bytes.size();
}

}  // namespace rooftile::platform
