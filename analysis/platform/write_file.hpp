// Everything that rooftile writes goes through here. A file is written beside its place and renamed, so nobody
// ever sees half of it; what is there already is replaced only by the same kind of file, and only if it is a
// plain file that no other rooftile is writing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "analysis/text/error.hpp"

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

// Something has that name: a file, a folder, a link that leads nowhere.
struct NameTaken : Error {
  using Error::Error;
};

// Makes the folders above it too. Throws Error, which names the folder and the reason.
void make_folder(const std::filesystem::path& folder);

// Follows no link. Throws NameTaken, and Error where it cannot be written; then there is no such file.
void write_new_file(const std::filesystem::path& file, std::string_view bytes);

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

// A new file of this user alone that grows by pieces.
class NewFile {
 public:
  // Throws NameTaken, and Error where it cannot be made.
  explicit NewFile(const std::filesystem::path& file);
  // Throws Error when not all of it can be written.
  void append(std::string_view bytes);

 private:
  std::filesystem::path file_;
  Descriptor open_;
};

enum class Existing { continued, refused };

// A file of lines that grows. No other rooftile writes it as long as this lives. An existing one is continued,
// without its half-written last line; one that stays empty is removed in the end.
class GrowingFile {
 public:
  // Throws Error where the file is of another kind, cannot be written, or is being written by another program;
  // NameTaken where it exists and shall not.
  GrowingFile(const std::filesystem::path& file, const FileKind& kind, Existing existing = Existing::continued);
  ~GrowingFile();
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;
  // Appends the line and its end, or nothing of it. Throws Error when it cannot be written.
  void append(std::string_view line);
  // Replaces all that it holds, in one step. Throws Error when it cannot be written.
  void replace(std::string_view bytes);
  const std::filesystem::path& path() const { return file_; }

 private:
  std::filesystem::path file_;
  Descriptor open_;
  std::uintmax_t size_ = 0;
};

}  // namespace rooftile::platform
