#include "analysis/platform/session_files.hpp"

#include <string>
#include <system_error>

#include "analysis/error.hpp"
#include "analysis/platform/text_file.hpp"

namespace rooftile::platform {
namespace {

// Where the last whole line ends.
std::uintmax_t end_of_lines(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::uintmax_t end = 0;
  for (std::string line; std::getline(in, line) && !in.eof();) {
    end += line.size() + 1;
  }
  return end;
}

}  // namespace

SessionLog load_session(const std::filesystem::path& file) {
  const auto text = std::filesystem::is_directory(file) ? std::nullopt : read_text(file);
  if (!text) {
    throw Error(file.string() + ": cannot be read; expected a session file");
  }
  return read_session(*text, file);
}

void save_session(const SessionLog& log, const std::filesystem::path& file) {
  write_text(file, session_text(log));
}

Journal::Journal(const std::filesystem::path& file) : file_(file) {
  std::error_code failure;
  if (std::filesystem::is_regular_file(file_)) {
    std::filesystem::resize_file(file_, end_of_lines(file_), failure);
  }
  out_.open(file_, std::ios::binary | std::ios::app);
  if (!out_ || failure) {
    throw Error(file_.string() + ": the journal cannot be written");
  }
}

void Journal::append(const Record& record) {
  out_ << to_line(record) + "\n" << std::flush;
  if (!out_) {
    throw Error(file_.string() + ": the journal cannot be written; is the disk full?");
  }
}

}  // namespace rooftile::platform
