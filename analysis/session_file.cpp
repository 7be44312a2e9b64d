#include "analysis/session_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "analysis/error.hpp"

namespace rooftile {
namespace {

// Replaces the last one of which `same` is true, else appends.
template <class T, class Same>
void put(std::vector<T>& list, const T& value, Same same) {
  const auto found = std::find_if(list.rbegin(), list.rend(), same);
  if (found == list.rend()) {
    list.push_back(value);
  } else {
    *found = value;
  }
}

struct Adder {
  SessionLog& log;

  void operator()(const Header& header) const { log.header = header; }
  void operator()(const DeviceRecord& device) const {
    put(log.devices, device, [&](const DeviceRecord& known) { return known.gpu.name == device.gpu.name; });
  }
  void operator()(const RoofsRecord& record) const {
    put(log.roofs, record.roofs, [&](const Roofs& known) { return known.gpu == record.roofs.gpu; });
  }
  void operator()(const Point& point) const { log.points.add(point); }
  void operator()(const Progress&) const {}
  void operator()(const SourceProfile& profile) const {
    put(log.profiles, profile, [&](const SourceProfile& known) { return same_launch(known, profile); });
  }
};

[[noreturn]] void fail(const std::string& place, const std::string& sentence) {
  throw Error(place + ": " + sentence);
}

bool blank(const std::string& line) {
  return line.find_first_not_of(" \t\r") == std::string::npos;
}

// The first record must be a header: it says the version of the rest.
void add_line(SessionLog& log, const std::string& line, bool first) {
  const auto record = parse_record(line);
  if (first && !(record && std::holds_alternative<Header>(*record))) {
    throw Error("expected a header; this is no session file of rooftile");
  }
  if (record) {
    log.add(*record);
  }
}

// Where the last whole line ends.
std::uintmax_t end_of_lines(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::uintmax_t end = 0;
  for (std::string line; std::getline(in, line) && !in.eof();) {
    end += line.size() + 1;
  }
  return end;
}

void write_all(const SessionLog& log, std::ostream& out) {
  Header header = log.header;
  header.version = record_version;
  header.host.clear();
  out << to_line(header) << '\n';
  for (const DeviceRecord& device : log.devices) {
    out << to_line(device) << '\n';
  }
  for (const Roofs& roofs : log.roofs) {
    out << to_line(RoofsRecord{roofs}) << '\n';
  }
  for (const Point& point : log.points) {
    if (point.final) {
      out << to_line(point) << '\n';
    }
  }
  for (const SourceProfile& profile : log.profiles) {
    out << to_line(profile) << '\n';
  }
}

}  // namespace

void SessionLog::add(const Record& record) {
  std::visit(Adder{*this}, record);
}

const Gpu* SessionLog::gpu(const std::string& name) const {
  const auto found = std::ranges::find_if(devices, [&](const DeviceRecord& d) { return d.gpu.name == name; });
  return found == devices.end() ? nullptr : &found->gpu;
}

const Gpu* SessionLog::find_gpu(std::string_view name) const {
  std::vector<Gpu> gpus;
  std::ranges::transform(devices, std::back_inserter(gpus), &DeviceRecord::gpu);
  const Gpu* found = rooftile::find_gpu(gpus, name);
  return found ? gpu(found->name) : nullptr;
}

const Roofs* SessionLog::roofs_of(const std::string& gpu_name) const {
  const auto found = std::ranges::find(roofs, gpu_name, &Roofs::gpu);
  return found == roofs.end() ? nullptr : &*found;
}

const SourceProfile* SessionLog::profile_of(const Point& point) const {
  const auto found =
      std::ranges::find_if(profiles, [&](const SourceProfile& profile) { return same_launch(profile, point); });
  return found == profiles.end() ? nullptr : &*found;
}

SessionLog load_session(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in || std::filesystem::is_directory(file)) {
    fail(file.string(), "cannot be read; expected a session file");
  }
  SessionLog log;
  bool first = true;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (blank(line)) {
      continue;
    }
    try {
      add_line(log, line, first);
    } catch (const Error& error) {
      const bool half_written = in.eof() && !first;
      if (!half_written) {
        fail(fmt::format("{}:{}", file.string(), number), error.what());
      }
    }
    first = false;
  }
  if (first) {
    fail(file.string(), "is empty; expected a session file");
  }
  return log;
}

void save_session(const SessionLog& log, const std::filesystem::path& file) {
  const std::filesystem::path part = file.string() + ".part";
  std::ofstream out(part, std::ios::binary | std::ios::trunc);
  write_all(log, out);
  out.close();
  std::error_code failure;
  if (out) {
    std::filesystem::rename(part, file, failure);
  }
  if (!out || failure) {
    fail(file.string(), "cannot be written");
  }
}

Journal::Journal(const std::filesystem::path& file) : file_(file) {
  std::error_code failure;
  if (std::filesystem::is_regular_file(file_)) {
    std::filesystem::resize_file(file_, end_of_lines(file_), failure);
  }
  out_.open(file_, std::ios::binary | std::ios::app);
  if (!out_ || failure) {
    fail(file_.string(), "the journal cannot be written");
  }
}

void Journal::append(const Record& record) {
  out_ << to_line(record) + "\n" << std::flush;
  if (!out_) {
    fail(file_.string(), "the journal cannot be written; is the disk full?");
  }
}

}  // namespace rooftile
