// What a session knows, kept in its journal as it grows.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "analysis/records.hpp"
#include "analysis/session_file.hpp"

namespace rooftile {

class KeptLog {
 public:
  // The header of now and nothing else. The journal is opened with the first result: a session without one
  // leaves no file.
  static KeptLog begin(const std::filesystem::path& journal);
  // One to look at. Throws Error naming file, line and what was expected.
  static KeptLog read(const std::filesystem::path& file);

  // In the journal before it is in the log. Returns why the journal could not take it; the log then holds it
  // all the same.
  std::optional<std::string> add(const Record& record);
  // Instead of what the header says of the facility of that name.
  void replace(Facility facility);

  const SessionLog& log() const { return log_; }
  const std::filesystem::path& file() const { return file_; }  // the journal, or what was read

 private:
  void keep(const Record& record);
  void open_journal();

  std::filesystem::path file_;
  SessionLog log_;
  std::unique_ptr<Journal> journal_;
};

}  // namespace rooftile
