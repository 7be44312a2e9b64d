// Everything that rooftile writes goes through here. A file is written beside its place and renamed, so nobody
// ever sees half of it; what is there already is replaced only by the same kind of file, and only if it is a
// plain file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace rooftile::platform {

struct FileKind {
  std::string_view name;                      // "a session of rooftile"
  bool (*recognises)(std::string_view text);  // from the first 64 KiB of a file
};

// For places that only rooftile writes to: its caches and settings, and a page it has just read.
extern const FileKind any_kind;

// Throws Error, which says why, where the file could not be replaced by one of this kind. An empty file can be.
void expect_replaceable(const std::filesystem::path& file, const FileKind& kind);
// Throws Error naming the file and the reason.
void write_file(const std::filesystem::path& file, std::string_view bytes, const FileKind& kind);

// An open file of the system, closed in the end.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor();
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

// A file of lines that grows, by one program at a time. An existing one is continued, without its half-written
// last line.
class GrowingFile {
 public:
  // Throws Error where the file is of another kind, cannot be written, or is being written by another program.
  GrowingFile(const std::filesystem::path& file, const FileKind& kind);
  // The line and its end, or nothing of it. Throws Error when it cannot be written.
  void append(std::string_view line);

 private:
  std::filesystem::path file_;
  Descriptor open_;
  std::uintmax_t size_ = 0;
};

// A file that nobody else has, empty at first and removed in the end if it still is.
class NewFile {
 public:
  // Throws Error where there is such a file already or none can be made.
  explicit NewFile(const std::filesystem::path& file);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

 private:
  std::filesystem::path file_;
};

}  // namespace rooftile::platform
