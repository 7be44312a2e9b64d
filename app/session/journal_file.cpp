#include "app/session/journal_file.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <string>

#include "analysis/platform/platform.hpp"
#include "analysis/platform/write_file.hpp"

namespace rooftile {
namespace {

using Clock = std::chrono::system_clock;

std::string utc(Clock::time_point time, fmt::format_string<std::tm> format) {
  return fmt::format(format, fmt::gmtime(Clock::to_time_t(time)));
}

}  // namespace

// Milliseconds keep two programs started together apart.
std::filesystem::path new_journal_file() {
  const auto folder = platform::user_state_directory() / "sessions";
  std::filesystem::create_directories(folder);
  const auto now = Clock::now();
  const auto milliseconds =
      std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count();
  auto file = folder / fmt::format("{}.{:03}Z.jsonl", utc(now, "{:%Y-%m-%dT%H-%M-%S}"), milliseconds % 1000);
  const platform::NewFile tried(file);
  return file;
}

Header header_of_now() {
  Header header;
  header.made_by = "rooftile " ROOFTILE_VERSION;
  header.host = platform::host_name();
  header.date = utc(Clock::now(), "{:%Y-%m-%dT%H:%M:%SZ}");
  return header;
}

}  // namespace rooftile
