// A session file is a journal: records in the order they happened. The last line may be half written.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "analysis/point_list.hpp"
#include "analysis/records.hpp"

namespace rooftile {

// Everything a session knows, each thing in its newest state.
struct SessionLog {
  Header header;
  std::vector<DeviceRecord> devices;
  std::vector<Roofs> roofs;  // one entry per GPU name
  PointList points;
  std::vector<SourceProfile> profiles;  // the newest of each launch that was looked at line by line

  void add(const Record& record);
  const Gpu* gpu(const std::string& name) const;
  const Gpu* find_gpu(std::string_view name) const;  // of its devices, by any name that find_gpu takes
  const Roofs* roofs_of(const std::string& gpu_name) const;
  const Point* point(std::uint64_t id) const { return points.find(id); }
  const SourceProfile* profile_of(const Point& point) const;
};

// Throws Error naming file, line and what was expected. A half-written last line is skipped.
SessionLog load_session(const std::filesystem::path& file);

// Writes only final points; published files carry no host name. Another file of that name is replaced when all
// is written.
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

}  // namespace rooftile
