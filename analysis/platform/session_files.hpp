// Session files, journals and roofs on disk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "analysis/platform/write_file.hpp"
#include "analysis/record/session_file.hpp"
#include "analysis/verdict/launch_report.hpp"

namespace rooftile::platform {

// Throws Error naming file, line and what was expected. A half-written last line is skipped.
SessionLog load_session(const std::filesystem::path& file);

// A session file that is added to a log piece by piece.
class SessionInput {
 public:
  // The log stays where it is. change: see SessionReader. Throws Error where the file cannot be read.
  SessionInput(SessionLog& log, const std::filesystem::path& file, RecordChange change = {});
  // The next megabyte. False: all is read. Throws Error, at the first one, for a file that is no session.
  bool read_on();
  // After that: what was appended to the file meanwhile. False: nothing.
  bool read_appended();
  std::uintmax_t bytes_read() const { return bytes_read_; }
  std::uintmax_t size() const { return size_; }  // [B] 0 where only the end will tell

 private:
  std::ifstream in_;
  std::uintmax_t size_ = 0, bytes_read_ = 0;
  std::string piece_;
  SessionReader reader_;
};

// Recognised by its header, the first record.
extern const FileKind session_kind;

// Another session of that name is replaced when all is written. Throws Error where it cannot be, and where
// another rooftile is writing it.
void save_session(const SessionLog& log, const std::filesystem::path& file);

// Recognised by its header line.
extern const FileKind points_kind;

// The best launch, see winner.hpp. Each kind is recognised by how it begins.
extern const FileKind constants_kind, winner_kind;

// Comma-separated values, see points_csv.hpp; of a log every launch, without advice. Replaces a file as
// save_session does.
void save_points(const std::vector<LaunchReport>& launches, const std::filesystem::path& file);
void save_points(const SessionLog& log, const std::filesystem::path& file);
// "a.jsonl" -> "a.csv"
std::filesystem::path points_file_beside(const std::filesystem::path& session);

// Each record goes to the system at once, so a killed process loses at most the launch in flight. No other
// rooftile writes the file meanwhile. An existing session is continued, without its half-written last line; a
// journal without a record leaves no file.
class Journal {
 public:
  // Throws as GrowingFile does.
  explicit Journal(const std::filesystem::path& file, Existing existing = Existing::continued)
      : file_(file, session_kind, existing) {}
  void append(const Record& record) { file_.append(to_line(record)); }
  // All that it holds: each launch once, as it is known in the end.
  void replace(const SessionLog& log) { file_.replace(session_text(log)); }
  const std::filesystem::path& file() const { return file_.path(); }

 private:
  GrowingFile file_;
};

// Roofs kept from one start to the next, under a key of everything that they depend on.
class RoofsFile {
 public:
  // folder: empty if nothing is kept. key: if it changes, roofs are measured again.
  RoofsFile(const std::filesystem::path& folder, const std::string& key);

  // Empty if nothing is kept, or only the file of an older version.
  std::optional<Roofs> load() const;
  // A folder that cannot be written costs the next start its time, nothing else.
  void save(const Roofs& roofs) const;

 private:
  std::filesystem::path file_;
};

}  // namespace rooftile::platform
