// A session file is a journal: records in the order they happened. The last line may be half written.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/point_list.hpp"
#include "analysis/profile_list.hpp"
#include "analysis/records.hpp"

namespace rooftile {

// Everything a session knows, each thing in its newest state.
struct SessionLog {
  Header header;
  std::vector<DeviceRecord> devices;
  std::vector<Roofs> roofs;  // one entry per GPU name
  PointList points;
  ProfileList profiles;
  std::vector<std::string> left_out;  // of its file, the lines that cannot be read: "session.jsonl:7: ..."

  void add(const Record& record);
  const Gpu* gpu(const std::string& name) const;
  const Gpu* find_gpu(std::string_view name) const;  // of its devices, by any name that find_gpu takes
  const Roofs* roofs_of(const std::string& gpu_name) const;
  const Point* point(std::uint64_t id) const { return points.find(id); }
  const SourceProfile* profile_of(const Point& point) const { return profiles.find(point); }
};

// The text of a session file; `file` is its name in messages. A line that cannot be read is left out, and so is
// a half-written last line. Throws Error for a text that is no session.
SessionLog read_session(std::string_view text, const std::filesystem::path& file);

// The first few of them, and how many more there are.
std::vector<std::string> in_short(const std::vector<std::string>& left_out);

// Only final points; published files carry no host name.
std::string session_text(const SessionLog& log);

}  // namespace rooftile
