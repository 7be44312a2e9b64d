// rooftile-cli merge SESSION... [--gpu NAME] [--brief] [--roofs] -o FILE
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
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

// gpu: empty: of all. brief: leaves out what only the person who measured needs, two fifths of a point.
SessionLog wanted_of(const SessionLog& part, const std::string& gpu, bool brief) {
  const auto is_wanted = [&](const std::string& name) { return gpu.empty() || name == gpu; };
  SessionLog wanted;
  std::ranges::copy_if(part.devices, std::back_inserter(wanted.devices),
                       [&](const DeviceRecord& device) { return is_wanted(device.gpu.name); });
  std::ranges::copy_if(part.roofs, std::back_inserter(wanted.roofs),
                       [&](const Roofs& roofs) { return is_wanted(roofs.gpu); });
  std::ranges::copy_if(part.notes, std::back_inserter(wanted.notes),
                       [&](const Note& note) { return is_wanted(note.gpu); });
  for (Point point : part.points) {
    if (brief) {
      point.phases.clear();
    }
    if (brief && point.counters) {
      point.counters->metrics.clear();
    }
    if (is_wanted(point.gpu)) {
      wanted.points.add(std::move(point));
    }
  }
  for (const SourceProfile& profile : part.profiles) {
    if (is_wanted(profile.gpu)) {
      wanted.profiles.add(profile);
    }
  }
  return wanted;
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
    all.append(wanted_of(log, asked.gpu.empty() ? "" : gpu_of(log, asked.gpu).name, asked.brief));
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
