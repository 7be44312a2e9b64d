#include "analysis/record/session_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

// Replaces the last one of which `same` is true, else appends.
template <class T, class Same>
void put(std::vector<T>& list, T&& value, Same same) {
  const auto found = std::find_if(list.rbegin(), list.rend(), same);
  if (found == list.rend()) {
    list.push_back(std::move(value));
  } else {
    *found = std::move(value);
  }
}

struct Adder {
  SessionLog& log;

  void operator()(Header&& header) const { log.header = std::move(header); }
  void operator()(DeviceRecord&& device) const {
    put(log.devices, std::move(device),
        [&](const DeviceRecord& known) { return known.gpu.name == device.gpu.name; });
  }
  void operator()(RoofsRecord&& record) const {
    put(log.roofs, std::move(record.roofs), [&](const Roofs& known) { return known.gpu == record.roofs.gpu; });
  }
  void operator()(Point&& point) const { log.points.add(std::move(point)); }
  void operator()(const Progress&) const {}
  void operator()(const Farewell&) const {}
  void operator()(const SourceProfile& profile) const { log.profiles.add(profile); }
  void operator()(Note&& note) const {
    const auto place = std::ranges::lower_bound(log.notes, note.id, {}, &Note::id);
    const bool is_known = place != log.notes.end() && place->id == note.id;
    if (note.text.empty()) {
      log.notes.erase(place, is_known ? place + 1 : place);
    } else if (is_known) {
      *place = std::move(note);
    } else {
      log.notes.insert(place, std::move(note));
    }
  }
};

bool blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

// Each further one makes every question about a GPU slower.
constexpr std::size_t most_gpus = 1'000;

constexpr std::size_t most_notes = 1'000;  // a reader turns through them

// A text of a million letters takes minutes to lay out.
void expect_short_texts(const Record& record) {
  constexpr std::size_t longest = 10'000;  // of C++ templates some are long
  const auto* point = std::get_if<Point>(&record);
  const auto* profile = std::get_if<SourceProfile>(&record);
  const auto* device = std::get_if<DeviceRecord>(&record);
  const auto* note = std::get_if<Note>(&record);
  const std::size_t letters = point     ? std::max(point->kernel.size(), point->gpu.size())
                              : profile ? std::max(profile->kernel.size(), profile->gpu.size())
                              : device  ? device->gpu.name.size()
                              : note    ? std::max({note->text.size(), note->kernel.size(), note->gpu.size()})
                                        : 0;
  if (letters > longest) {
    throw Error(fmt::format("a text has {} letters; at most {} are read", count(static_cast<double>(letters)),
                            count(static_cast<double>(longest))));
  }
}

void expect_room(const SessionLog& log, const Record& record) {
  const auto* device = std::get_if<DeviceRecord>(&record);
  const auto* roofs = std::get_if<RoofsRecord>(&record);
  if ((device && log.devices.size() >= most_gpus && !log.gpu(device->gpu.name)) ||
      (roofs && log.roofs.size() >= most_gpus && !log.roofs_of(roofs->roofs.gpu))) {
    throw Error(fmt::format("more than {} GPUs", count(static_cast<double>(most_gpus))));
  }
  if (std::holds_alternative<Note>(record) && log.notes.size() >= most_notes) {
    throw Error(fmt::format("more than {} notes", count(static_cast<double>(most_notes))));
  }
}

// The first record must be a header: it says the version of the rest.
void add_record(SessionLog& log, std::string_view line, bool first, const RecordChange& change) {
  auto record = parse_record(line);
  if (first && !(record && std::holds_alternative<Header>(*record))) {
    throw Error("expected a header; this is no session file of rooftile");
  }
  if (record && change) {
    change(*record);
  }
  if (record) {
    expect_short_texts(*record);
    expect_room(log, *record);
    log.add(std::move(*record));
  }
}

}  // namespace

void SessionLog::add(Record record) {
  std::visit(Adder{*this}, std::move(record));
}

void SessionLog::append(const SessionLog& other) {
  for (const DeviceRecord& device : other.devices) {
    add(device);
  }
  for (const Roofs& of_gpu : other.roofs) {
    add(RoofsRecord{of_gpu});
  }
  for (Point point : other.points) {
    point.id = points.size() + 1;
    add(std::move(point));
  }
  for (const SourceProfile& profile : other.profiles) {
    add(profile);
  }
  for (Note note : other.notes) {
    note.id = notes.size() + 1;
    add(std::move(note));
  }
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

// A line without an end is kept up to a length that parse_record refuses.
void SessionReader::read(std::string_view piece) {
  for (std::size_t end = piece.find('\n'); end != std::string_view::npos; end = piece.find('\n')) {
    if (begun_.empty()) {
      take_line(piece.substr(0, end), true);
    } else {
      take_line(begun_.append(piece.substr(0, end)), true);
      begun_.clear();
    }
    piece.remove_prefix(end + 1);
  }
  if (begun_.size() <= longest_line) {
    begun_.append(piece);
  } else if (!has_begun_) {
    throw Error(file_.string() + ": the first line has no end; expected a session file");
  }
}

void SessionReader::finish() {
  const std::size_t told = log_.left_out.size();
  if (!begun_.empty()) {
    take_line(begun_, false);
  }
  if (log_.left_out.size() == told) {
    begun_.clear();
  } else {
    --lines_;
  }
  if (!has_begun_) {
    throw Error(file_.string() + ": is empty; expected a session file");
  }
}

void SessionReader::take_line(std::string_view line, bool whole) {
  ++lines_;
  if (blank(line) || has_enough_) {
    return;
  }
  try {
    add_record(log_, line, !has_begun_, change_);
  } catch (const Error& error) {
    const std::string place = fmt::format("{}:{}: ", file_.string(), lines_);
    if (!has_begun_) {
      throw Error(place + error.what());
    }
    leave_out(place + (whole ? error.what() : "the last line is cut off"));
  }
  has_begun_ = true;
}

void SessionReader::leave_out(const std::string& sentence) {
  log_.left_out.push_back(sentence);
  has_enough_ = log_.left_out.size() >= most_left_out;
  if (has_enough_) {
    log_.left_out.push_back(
        fmt::format("{}: so many lines cannot be read that the rest of the file is left out", file_.string()));
  }
}

SessionLog read_session(std::string_view text, const std::filesystem::path& file) {
  SessionLog log;
  SessionReader reader(log, file);
  reader.read(text);
  reader.finish();
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
    if (point.final || point.program) {
      add(point);
    }
  }
  std::ranges::for_each(log.profiles, add);
  std::ranges::for_each(log.notes, add);
  return text;
}

}  // namespace rooftile
