// rooftile-cli merge SESSION... -o FILE
#include <fmt/format.h>

#include "analysis/platform/session_files.hpp"
#include "app/cli/output.hpp"
#include "app/cli/report_source.hpp"
#include "app/cli/verbs.hpp"

namespace rooftile::cli {
namespace {

// Ids count launches of one session, so those of a merged one are given anew.
void append(SessionLog& all, const SessionLog& part) {
  for (const DeviceRecord& device : part.devices) {
    all.add(device);
  }
  for (const Roofs& roofs : part.roofs) {
    all.add(RoofsRecord{roofs});
  }
  for (Point point : part.points) {
    point.id = all.points.size() + 1;
    all.add(point);
  }
  for (const SourceProfile& profile : part.profiles) {
    all.add(profile);
  }
}

// The parts are whole as long as what is made of them is not.
void expect_none_of(const std::vector<std::filesystem::path>& parts, const std::filesystem::path& file) {
  for (const auto& part : parts) {
    std::error_code not_there;
    if (std::filesystem::equivalent(part, file, not_there)) {
      throw UsageError(fmt::format("{} is one of the sessions to join; name another file.", file.string()));
    }
  }
}

void merge(const std::vector<std::filesystem::path>& parts, const std::filesystem::path& file) {
  expect_none_of(parts, file);
  platform::expect_replaceable(file, platform::session_kind);
  SessionLog all;
  for (const auto& part : parts) {
    const SessionLog log = session_in(part);
    all.header = &part == &parts.front() ? log.header : all.header;
    append(all, log);
  }
  platform::save_session(all, file);
  say("{} points of {} sessions written to {}\n", all.points.size(), parts.size(), file.string());
}

}  // namespace

void add_merge(CLI::App& app, const Options&, int& status) {
  struct MergeQuestion {
    std::vector<std::filesystem::path> parts;
    std::filesystem::path file;
  };
  auto asked = std::make_shared<MergeQuestion>();
  auto* verb = app.add_subcommand("merge", "Join session files, of one sweep in shards or of several machines");
  verb->add_option("SESSION", asked->parts, "Session files")->required();
  verb->add_option("-o,--output", asked->file, "Session file to write")->required();
  verb->callback([&status, asked] {
    merge(asked->parts, asked->file);
    status = success;
  });
}

}  // namespace rooftile::cli
