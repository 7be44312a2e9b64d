#include "app/cli/shared/report_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "analysis/platform/platform.hpp"
#include "analysis/platform/session_files.hpp"
#include "app/cli/shared/catalogue.hpp"
#include "app/cli/shared/live/live_session.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/tables/nearest.hpp"
#include "app/session/bundled_session.hpp"

namespace rooftile::cli {
namespace {

namespace fs = std::filesystem;

// The defaults of every kernel, with its first dial at each legal value.
std::vector<Configuration> tour(const std::vector<Manifest>& kernels) {
  std::vector<Configuration> all;
  for (const auto& kernel : kernels) {
    const auto dial = std::ranges::find(kernel.parameters, ParameterRole::dial, &Parameter::role);
    const auto values = dial != kernel.parameters.end() ? dial->values : std::vector<double>{};
    for (const double value : values) {
      const Parameters parameters = complete(kernel, {{dial->name, value}});
      if (!why_illegal(kernel, parameters)) {
        all.push_back({kernel.name, parameters});
      }
    }
  }
  return all;
}

ReportSource measured(const Options& options, Session& session) {
  session.sweep(tour(catalogue(options)));
  wait_until_idle(session);
  return {session.log(), "measured now"};
}

ReportSource recorded(const fs::path& file) {
  return {session_in(file), "recorded in " + file.filename().string()};
}

}  // namespace

SessionLog session_in(const fs::path& file) {
  SessionLog log = platform::load_session(file);
  for (const std::string& line : in_short(log.left_out)) {
    remark("rooftile-cli: left out: {}\n", line);
  }
  return log;
}

fs::path recorded_session() {
  if (const auto bundled = bundled_session()) {
    return *bundled;
  }
  throw Error(
      fmt::format("No GPU can be measured (rooftile-cli doctor says why), and {} holds no recorded session.",
                  (platform::data_directory() / "assets" / "sessions").string()));
}

const Gpu& gpu_of(const SessionLog& log, const std::string& name) {
  if (log.devices.empty()) {
    throw Error("The session names no GPU.");
  }
  if (name.empty()) {
    return log.devices.front().gpu;
  }
  if (const Gpu* gpu = log.find_gpu(name)) {
    return *gpu;
  }
  std::vector<Gpu> known;
  std::vector<std::string> names;
  for (const DeviceRecord& device : log.devices) {
    known.push_back(device.gpu);
    names.push_back(device.gpu.name);
  }
  throw UsageError(why_ambiguous(known, name).value_or(no_such("GPU", name, names)));
}

ReportSource report_source(const Options& options, const fs::path& session, const std::string& gpu) {
  if (!session.empty()) {
    return recorded(session);
  }
  auto live = live_on(options, gpu);
  return live ? measured(options, *live) : recorded(recorded_session());
}

}  // namespace rooftile::cli
