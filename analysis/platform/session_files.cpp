#include "analysis/platform/session_files.hpp"

#include <fmt/format.h>

#include <functional>
#include <string_view>
#include <utility>

#include "analysis/exchange/points_csv.hpp"
#include "analysis/exchange/winner.hpp"
#include "analysis/text/error.hpp"

namespace rooftile::platform {
namespace {

bool is_session(std::string_view text) {
  try {
    const auto record = parse_record(text.substr(0, text.find('\n')));
    return record && std::holds_alternative<Header>(*record);
  } catch (const Error&) {
    return false;
  }
}

// A named pipe may wait for its writer for ever. A shell's <(...) is a pipe without a name.
bool is_named_pipe(const std::filesystem::path& file) {
  std::error_code none;
  return std::filesystem::is_fifo(file, none) && !std::filesystem::canonical(file, none).empty();
}

}  // namespace

const FileKind session_kind = {"a session of rooftile", is_session};

const FileKind constants_kind = {"a header of constants of rooftile", is_constants_header};
const FileKind winner_kind = {"a best launch of rooftile", is_winner_json};

const FileKind points_kind = {"a table of points of rooftile", is_points_csv};

SessionInput::SessionInput(SessionLog& log, const std::filesystem::path& file, RecordChange change)
    : piece_(1 << 20, '\0'), reader_(log, file, std::move(change)) {
  std::error_code none;
  const bool is_no_file = std::filesystem::is_directory(file, none) ||
                          std::filesystem::is_character_file(file, none) ||
                          std::filesystem::is_block_file(file, none) || is_named_pipe(file);
  if (!is_no_file) {
    in_.open(file, std::ios::binary);
  }
  if (!in_.is_open()) {
    throw Error(file.string() + ": cannot be read; expected a session file");
  }
  const auto size = std::filesystem::file_size(file, none);
  size_ = none ? 0 : size;
}

bool SessionInput::read_on() {
  in_.read(piece_.data(), static_cast<std::streamsize>(piece_.size()));
  const auto read = static_cast<std::size_t>(in_.gcount());
  bytes_read_ += read;
  reader_.read(std::string_view(piece_).substr(0, read));
  if (!in_) {
    reader_.finish();
  }
  return static_cast<bool>(in_);
}

bool SessionInput::read_appended() {
  in_.clear();
  if (in_.peek() == std::ifstream::traits_type::eof()) {
    return false;
  }
  while (read_on()) {
  }
  return true;
}

SessionLog load_session(const std::filesystem::path& file) {
  SessionLog log;
  SessionInput input(log, file);
  while (input.read_on()) {
  }
  return log;
}

void save_session(const SessionLog& log, const std::filesystem::path& file) {
  Journal(file).replace(log);
}

void save_points(const std::vector<LaunchReport>& launches, const std::filesystem::path& file) {
  write_file(file, points_csv(launches), points_kind);
}

void save_points(const SessionLog& log, const std::filesystem::path& file) {
  save_points(launch_reports(log), file);
}

RoofsFile::RoofsFile(const std::filesystem::path& folder, const std::string& key)
    : file_(folder.empty() ? folder
                           : folder / fmt::format("roofs-{:016x}.jsonl", std::hash<std::string>{}(key))) {}

std::optional<Roofs> RoofsFile::load() const {
  std::ifstream in(file_);
  std::string line;
  if (!std::getline(in, line)) {
    return std::nullopt;
  }
  try {
    const auto record = parse_record(line);
    const auto* roofs = record ? std::get_if<RoofsRecord>(&*record) : nullptr;
    return roofs != nullptr ? std::optional(roofs->roofs) : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

void RoofsFile::save(const Roofs& roofs) const {
  if (file_.empty()) {
    return;
  }
  try {
    write_file(file_, to_line(Record{RoofsRecord{roofs}}) + "\n", any_kind);
  } catch (const Error&) {  // they are measured again
  }
}

std::filesystem::path points_file_beside(const std::filesystem::path& session) {
  return std::filesystem::path(session).replace_extension(".csv");
}

}  // namespace rooftile::platform
