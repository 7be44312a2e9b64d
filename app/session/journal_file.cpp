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

std::string name_of(Clock::time_point time) {
  const auto milliseconds =
      std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
  return fmt::format("{}.{:03}Z.jsonl", utc(time, "{:%Y-%m-%dT%H-%M-%S}"), milliseconds % 1000);
}

}  // namespace

// If programs start in the same millisecond, each takes the next name that is free.
std::unique_ptr<platform::Journal> new_journal() {
  const auto folder = platform::user_state_directory() / "sessions";
  platform::make_folder(folder);
  for (auto time = Clock::now();; time += std::chrono::milliseconds(1)) {
    try {
      return std::make_unique<platform::Journal>(folder / name_of(time), platform::Existing::refused);
    } catch (const platform::NameTaken&) {
    }
  }
}

Header header_of_now() {
  Header header;
  header.made_by = "rooftile " ROOFTILE_VERSION;
  header.host = platform::host_name();
  header.date = utc(Clock::now(), "{:%Y-%m-%dT%H:%M:%SZ}");
  return header;
}

}  // namespace rooftile
