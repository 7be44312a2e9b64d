#include "analysis/session_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/error.hpp"
#include "analysis/format.hpp"

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
  void operator()(const Farewell&) const {}
  void operator()(const SourceProfile& profile) const { log.profiles.add(profile); }
};

[[noreturn]] void fail(const std::string& place, const std::string& sentence) {
  throw Error(place + ": " + sentence);
}

bool blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

struct Place {
  const std::filesystem::path& file;
  int number;
  bool first;
  bool cut;  // without its newline: the last one
};

// The first record must be a header: it says the version of the rest.
void add_record(SessionLog& log, std::string_view line, bool first) {
  const auto record = parse_record(line);
  if (first && !(record && std::holds_alternative<Header>(*record))) {
    throw Error("expected a header; this is no session file of rooftile");
  }
  if (record) {
    log.add(*record);
  }
}

void add_line(SessionLog& log, std::string_view line, const Place& place) {
  try {
    add_record(log, line, place.first);
  } catch (const Error& error) {
    const std::string where = fmt::format("{}:{}", place.file.string(), place.number);
    if (place.first) {
      fail(where, error.what());
    }
    log.left_out.push_back(where + ": " + (place.cut ? "the last line is cut off" : error.what()));
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

SessionLog read_session(std::string_view text, const std::filesystem::path& file) {
  SessionLog log;
  bool first = true;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    const bool cut = end == std::string_view::npos;
    text.remove_prefix(cut ? text.size() : end + 1);
    if (!blank(line)) {
      add_line(log, line, {file, number, first, cut});
      first = false;
    }
  }
  if (first) {
    fail(file.string(), "is empty; expected a session file");
  }
  return log;
}

std::vector<std::string> in_short(const std::vector<std::string>& left_out) {
  constexpr std::size_t most = 5;
  std::vector<std::string> told(left_out.begin(), left_out.begin() + std::min(most, left_out.size()));
  if (left_out.size() > most) {
    told.push_back(fmt::format("and {} more lines", count(static_cast<double>(left_out.size() - most))));
  }
  return told;
}

std::string session_text(const SessionLog& log) {
  std::string text;
  const auto add = [&](const Record& record) { text += to_line(record) + '\n'; };
  Header header = log.header;
  header.version = record_version;
  header.host.clear();
  add(header);
  std::ranges::for_each(log.devices, add);
  for (const Roofs& roofs : log.roofs) {
    add(RoofsRecord{roofs});
  }
  for (const Point& point : log.points) {
    if (point.final) {
      add(point);
    }
  }
  std::ranges::for_each(log.profiles, add);
  return text;
}

}  // namespace rooftile
