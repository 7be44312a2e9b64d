// The log of a session, kept in its journal as it grows.
#pragma once

#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/platform/session_files.hpp"
#include "analysis/record/records.hpp"

namespace rooftile {

class KeptLog {
 public:
  // A log with today's header and nothing else. journal: empty for a new file in the user's state directory. No
  // other rooftile writes the journal from now on. Its first line comes with the first result: a session
  // without results leaves no file. If it cannot be written, take_trouble() says so.
  static KeptLog begin(const std::filesystem::path& journal,
                       platform::Existing existing = platform::Existing::continued);
  // The log begins with a recording, which the journal does not repeat. Call it before any result is added.
  // Throws Error naming file, line and what was expected.
  void open_recording(const std::filesystem::path& file);
  // Adds another recording after that; SessionBeside keeps the two apart. Throws Error if the file cannot be
  // read. If it is no session, the log says so among the lines that it leaves out.
  void open_beside(const std::filesystem::path& file);
  // Reads a piece of the recordings, which takes about 10 ms. False: all is read.
  bool read_on();
  // Adds what was appended to the recordings since they were read. False: nothing, or the log holds results of
  // its own by now.
  bool follow();
  std::optional<Progress> reading() const;  // of the recording, in MB; empty once it is read

  // Writes the record into the journal, then into the log. If the journal cannot take it, the log still does.
  void add(const Record& record);
  // Rewrites the journal: each launch once, and nothing that the file held before the session. Throws Error if
  // there is no journal, or if it cannot be written.
  void tidy_journal();
  // Another session may write the journal from now on. The next result takes it back.
  void release_journal() {
    journal_.reset();
    journal_has_begun_ = false;
  }
  // Why the journal took nothing more, told once until it takes something again.
  std::optional<std::string> take_trouble() { return std::exchange(trouble_, std::nullopt); }
  // Replaces what the header says of the facility of that name.
  void replace(Facility facility);

  std::shared_ptr<const SessionLog> log() const { return log_; }  // it grows
  const std::filesystem::path& file() const { return file_; }     // the journal; empty: none

 private:
  void keep(const Record& record);
  void note(const std::string& trouble);
  void begin_journal();

  std::filesystem::path file_;
  std::shared_ptr<SessionLog> log_ = std::make_shared<SessionLog>();
  struct Recording {
    std::string name;
    std::unique_ptr<platform::SessionInput> input;
  };
  bool read_piece(platform::SessionInput& input);
  void read(const auto& from_recordings);

  std::deque<Recording> recordings_;  // while they are read, one after the other
  std::vector<Recording> read_;       // those that may grow
  // The first ones of the log, read from elsewhere.
  std::size_t recorded_points_ = 0, recorded_profiles_ = 0, recorded_notes_ = 0;
  std::unique_ptr<platform::Journal> journal_;
  bool journal_has_begun_ = false;  // it has its header
  std::optional<std::string> trouble_;
  bool in_trouble_ = false;
};

}  // namespace rooftile
