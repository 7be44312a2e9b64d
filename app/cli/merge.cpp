// rooftile-cli merge SESSION... -o FILE
#include <fmt/format.h>

#include "analysis/platform/session_files.hpp"
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

void merge(const std::vector<std::filesystem::path>& parts, const std::filesystem::path& file) {
  SessionLog all;
  all.header = platform::load_session(parts.front()).header;
  for (const auto& part : parts) {
    append(all, platform::load_session(part));
  }
  platform::save_session(all, file);
  fmt::print("{} points of {} sessions written to {}\n", all.points.size(), parts.size(), file.string());
}

}  // namespace

void add_merge(CLI::App& app, const Options&, int& status) {
  struct Question {
    std::vector<std::filesystem::path> parts;
    std::filesystem::path file;
  };
  auto asked = std::make_shared<Question>();
  auto* verb = app.add_subcommand("merge", "Join session files, of one sweep in shards or of several machines");
  verb->add_option("SESSION", asked->parts, "Session files")->required();
  verb->add_option("-o,--output", asked->file, "Session file to write")->required();
  verb->callback([&status, asked] {
    merge(asked->parts, asked->file);
    status = success;
  });
}

}  // namespace rooftile::cli
