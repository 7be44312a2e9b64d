// Session files and journals on disk.
#pragma once

#include <filesystem>
#include <fstream>

#include "analysis/session_file.hpp"

namespace rooftile::platform {

// Throws Error naming file, line and what was expected. A half-written last line is skipped.
SessionLog load_session(const std::filesystem::path& file);

// Another file of that name is replaced when all is written.
void save_session(const SessionLog& log, const std::filesystem::path& file);

// Appends each record and flushes, so a killed process loses at most the launch in flight. An existing file is
// continued, without its half-written last line.
class Journal {
 public:
  // Throws Error when the file cannot be written.
  explicit Journal(const std::filesystem::path& file);
  void append(const Record& record);
  const std::filesystem::path& file() const { return file_; }

 private:
  std::filesystem::path file_;
  std::ofstream out_;
};

}  // namespace rooftile::platform
