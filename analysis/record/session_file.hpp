// A session file is a journal: records in the order they happened. The last line may be half written.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/record/point_list.hpp"
#include "analysis/record/records.hpp"
#include "analysis/record/source_profile.hpp"

namespace rooftile {

// Everything a session knows, each thing in its newest state.
struct SessionLog {
  Header header;
  std::vector<DeviceRecord> devices;
  std::vector<Roofs> roofs;  // one entry per GPU name
  PointList points;
  ProfileList profiles;
  std::vector<Note> notes;            // in the order of their ids
  std::vector<std::string> left_out;  // of its file, the lines that cannot be read: "session.jsonl:7: ..."

  void add(Record record);
  // Adds the results of another session, whose launches and notes get ids of this one.
  void append(const SessionLog& other);
  const Gpu* gpu(const std::string& name) const;
  const Gpu* find_gpu(std::string_view name) const;  // of its devices, by any name that find_gpu takes
  const Roofs* roofs_of(const std::string& gpu_name) const;
  const Point* point(std::uint64_t id) const { return points.find(id); }
  const SourceProfile* profile_of(const Point& point) const { return profiles.find(point); }
};

// Changes a record before a log takes it.
using RecordChange = std::function<void(Record&)>;

// Adds the text of a session file to a log, piece by piece. A line that cannot be read is left out, and so is a
// half-written last line. After very many such lines the rest of the file is left out.
class SessionReader {
 public:
  // file: its name in messages. The log stays where it is until all is read. change: applied to each record;
  // empty: none.
  SessionReader(SessionLog& log, std::filesystem::path file, RecordChange change = {})
      : log_(log), file_(std::move(file)), change_(std::move(change)) {}

  void read(std::string_view piece);  // throws Error for a text that is no session
  // Nothing follows now; throws Error where there was nothing. A line that is cut off is told, and may go on in
  // another piece.
  void finish();

 private:
  void take_line(std::string_view line, bool whole);
  void leave_out(const std::string& sentence);

  SessionLog& log_;
  std::filesystem::path file_;
  RecordChange change_;
  std::string begun_;  // the line that goes on in the next piece
  int lines_ = 0;
  bool has_begun_ = false;   // the header was read
  bool has_enough_ = false;  // of lines that cannot be read
};

// All of it in one piece.
SessionLog read_session(std::string_view text, const std::filesystem::path& file);

// The most unreadable lines, or entries of a foreign file, that are told of: no file has so many by mistake.
inline constexpr std::size_t most_left_out = 10'000;

// The first few of them, and how many more there are.
std::vector<std::string> in_short(const std::vector<std::string>& left_out);

// Only final points, and those of a program that may still run; published files carry no host name.
std::string session_text(const SessionLog& log);

}  // namespace rooftile
