#include "app/cli/report_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "analysis/platform/platform.hpp"
#include "app/cli/catalogue.hpp"
#include "app/cli/live_session.hpp"

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

std::optional<ReportSource> measured_live(const Options& options) {
  Session session = start(options);
  wait_until_started(session);
  if (session.mode() != Mode::live) {
    return std::nullopt;
  }
  session.sweep(tour(catalogue(options)));
  wait_until_idle(session);
  return ReportSource{session.log(), "measured now"};
}

ReportSource recorded(const fs::path& file) {
  return {load_session(file), "recorded in " + file.filename().string()};
}

}  // namespace

// By name: recordings carry their date, or are the only one.
fs::path newest_recording() {
  const fs::path folder = platform::data_directory() / "assets" / "sessions";
  fs::path newest;
  if (fs::exists(folder)) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() == ".jsonl" && entry.path().filename() > newest.filename()) {
        newest = entry.path();
      }
    }
  }
  if (newest.empty()) {
    throw Error(
        fmt::format("No GPU can be measured (rooftile-cli doctor says why), and {} holds no recorded session.",
                    folder.string()));
  }
  return newest;
}

ReportSource report_source(const Options& options, const fs::path& session) {
  if (!session.empty()) {
    return recorded(session);
  }
  if (auto live = measured_live(options)) {
    return *live;
  }
  return recorded(newest_recording());
}

}  // namespace rooftile::cli
