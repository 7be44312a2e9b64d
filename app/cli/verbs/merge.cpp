// rooftile-cli merge SESSION... [--gpu NAME] [--brief] [--roofs] -o FILE
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "analysis/platform/session_files.hpp"
#include "app/cli/shared/gpu_roofs.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/shared/report_source.hpp"
#include "app/cli/verbs.hpp"

namespace rooftile::cli {
namespace {

struct MergeQuestion {
  std::vector<std::filesystem::path> parts;
  std::filesystem::path file;
  std::string gpu;  // empty: all
  bool brief = false, roofs = false;
};

// brief: leaves out what only the person who measured needs, two fifths of a point.
Point entry_of(Point point, std::uint64_t id, bool brief) {
  point.id = id;
  if (brief) {
    point.phases.clear();
  }
  if (brief && point.counters) {
    point.counters->metrics.clear();
  }
  return point;
}

// Ids count the launches of one session, so a merged session gets new ids. gpu: empty: of all.
void append(SessionLog& all, const SessionLog& part, const std::string& gpu, bool brief) {
  const auto is_wanted = [&](const std::string& name) { return gpu.empty() || name == gpu; };
  for (const DeviceRecord& device : part.devices) {
    if (is_wanted(device.gpu.name)) {
      all.add(device);
    }
  }
  for (const Roofs& roofs : part.roofs) {
    if (is_wanted(roofs.gpu)) {
      all.add(RoofsRecord{roofs});
    }
  }
  for (const Point& point : part.points) {
    if (is_wanted(point.gpu)) {
      all.add(entry_of(point, all.points.size() + 1, brief));
    }
  }
  for (const SourceProfile& profile : part.profiles) {
    if (is_wanted(profile.gpu)) {
      all.add(profile);
    }
  }
  for (Note note : part.notes) {
    if (is_wanted(note.gpu)) {
      note.id = all.notes.size() + 1;
      all.add(std::move(note));
    }
  }
}

// The joined session must not be written over one of its parts.
void expect_none_of(const std::vector<std::filesystem::path>& parts, const std::filesystem::path& file) {
  for (const auto& part : parts) {
    std::error_code not_there;
    if (std::filesystem::equivalent(part, file, not_there)) {
      throw UsageError(fmt::format("{} is one of the sessions to join; name another file.", file.string()));
    }
  }
}

void merge(const Options& options, const MergeQuestion& asked) {
  expect_none_of(asked.parts, asked.file);
  platform::expect_replaceable(asked.file, platform::session_kind);
  SessionLog all;
  for (const auto& part : asked.parts) {
    const SessionLog log = session_in(part);
    all.header = &part == &asked.parts.front() ? log.header : all.header;
    append(all, log, asked.gpu.empty() ? "" : gpu_of(log, asked.gpu).name, asked.brief);
  }
  if (asked.roofs) {
    add_missing_roofs(options, all);
  }
  platform::save_session(all, asked.file);
  if (options.json) {
    say_json({{"file", asked.file.string()}, {"points", all.points.size()}, {"sessions", asked.parts.size()}});
  } else {
    say("{} points of {} sessions written to {}\n", all.points.size(), asked.parts.size(), asked.file.string());
  }
}

}  // namespace

void add_merge(CLI::App& app, const Options& options, int& status) {
  auto asked = std::make_shared<MergeQuestion>();
  auto* verb = app.add_subcommand("merge", "Join session files, of one sweep in shards or of several machines");
  verb->add_option("SESSION", asked->parts, "Session files")->required();
  verb->add_option("-o,--output", asked->file, "Session file to write")->required();
  verb->add_option("--gpu", asked->gpu, "Only launches that were measured on this GPU");
  verb->add_flag("--brief", asked->brief,
                 "Leave out the times of a launch's phases and the counters' own names");
  verb->add_flag("--roofs", asked->roofs,
                 "Add the roofs of GPUs that have none there: measured where the GPU is in this machine, else "
                 "recorded or quoted");
  verb->callback([&options, &status, asked] {
    merge(options, *asked);
    status = success;
  });
}

}  // namespace rooftile::cli
