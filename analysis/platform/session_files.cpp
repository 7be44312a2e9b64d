#include "analysis/platform/session_files.hpp"

#include <string_view>

#include "analysis/error.hpp"
#include "analysis/platform/text_file.hpp"
#include "analysis/points_csv.hpp"

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

}  // namespace

const FileKind session_kind = {"a session of rooftile", is_session};

const FileKind points_kind = {"a table of points of rooftile", is_points_csv};

SessionLog load_session(const std::filesystem::path& file) {
  const auto text = std::filesystem::is_directory(file) ? std::nullopt : read_text(file);
  if (!text) {
    throw Error(file.string() + ": cannot be read; expected a session file");
  }
  return read_session(*text, file);
}

void save_session(const SessionLog& log, const std::filesystem::path& file) {
  write_file(file, session_text(log), session_kind);
}

void save_points(const SessionLog& log, const std::filesystem::path& file) {
  write_file(file, points_csv(log), points_kind);
}

std::filesystem::path points_file_beside(const std::filesystem::path& session) {
  return std::filesystem::path(session).replace_extension(".csv");
}

}  // namespace rooftile::platform
