// Session files and journals on disk.
#pragma once

#include <filesystem>

#include "analysis/platform/write_file.hpp"
#include "analysis/session_file.hpp"

namespace rooftile::platform {

// Throws Error naming file, line and what was expected. A half-written last line is skipped.
SessionLog load_session(const std::filesystem::path& file);

// Recognised by its header, the first record.
extern const FileKind session_kind;

// Another session of that name is replaced when all is written. Throws Error where it cannot be.
void save_session(const SessionLog& log, const std::filesystem::path& file);

// Recognised by its header line.
extern const FileKind points_kind;

// Every launch as comma-separated values, see points_csv.hpp. Replaces as save_session does.
void save_points(const SessionLog& log, const std::filesystem::path& file);
// "a.jsonl" -> "a.csv"
std::filesystem::path points_file_beside(const std::filesystem::path& session);

// Each record is with the system at once, so a killed process loses at most the launch in flight. An existing
// session is continued, without its half-written last line.
class Journal {
 public:
  // Throws Error when the file cannot be written, is no session, or is being written by another program.
  explicit Journal(const std::filesystem::path& file) : file_(file, session_kind) {}
  void append(const Record& record) { file_.append(to_line(record)); }

 private:
  GrowingFile file_;
};

}  // namespace rooftile::platform
