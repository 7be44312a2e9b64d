// rooftile-cli roofs [SESSION] [--gpu NAME] [--again]
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "analysis/roof_table.hpp"
#include "app/cli/live_session.hpp"
#include "app/cli/output.hpp"
#include "app/cli/report_source.hpp"
#include "app/cli/text_table.hpp"
#include "app/cli/verbs.hpp"

namespace rooftile::cli {
namespace {

struct RoofsQuestion {
  std::filesystem::path session;
  std::string gpu;  // of those in it
  bool again = false;
};

const Roofs& roofs_in(const SessionLog& log, const std::string& gpu_name) {
  const Gpu& gpu = gpu_of(log, gpu_name);
  if (const Roofs* roofs = log.roofs_of(gpu.name)) {
    return *roofs;
  }
  throw Error(fmt::format("The session holds no roofs of the {}.", gpu.name));
}

// What is not known yet is measured.
Roofs measured(Session& session, bool again) {
  session.measure_roofs(again ? Work::roofs_again : Work::roofs);
  wait_until_idle(session);
  if (session.last_error()) {
    throw Error(*session.last_error());
  }
  return roofs_in(session.log(), "");
}

Roofs roofs_of(const Options& options, const RoofsQuestion& asked) {
  if (!asked.session.empty()) {
    return roofs_in(session_in(asked.session), asked.gpu);
  }
  auto live = live_on(options, asked.gpu);
  return live ? measured(*live, asked.again) : roofs_in(session_in(recorded_session()), asked.gpu);
}

void print(const Roofs& roofs) {
  TextTable table({"roof", "measured", "sustained", "spec", "datasheet"}, "lrrrr");
  const auto rows = roof_table(roofs);
  for (const RoofRow& row : rows) {
    table.add({row.name, row.measured, row.sustained, row.spec, row.datasheet});
  }
  say("{}\n{}", roofs.gpu, table.text());
  for (const RoofRow& row : rows) {
    say("\n{}\n", row.name);
    for (const std::string& source : row.sources) {
      say("  {}\n", source);
    }
  }
}

int show_roofs(const Options& options, const RoofsQuestion& asked) {
  const Roofs roofs = roofs_of(options, asked);
  if (options.json) {
    say_json(nlohmann::json::parse(to_line(RoofsRecord{roofs})));
  } else {
    print(roofs);
  }
  return success;
}

}  // namespace

void add_roofs(CLI::App& app, const Options& options, int& status) {
  auto asked = std::make_shared<RoofsQuestion>();
  auto* verb = app.add_subcommand(
      "roofs", "Show every roof, measured, from the counters' peaks and quoted, and where each comes from");
  verb->add_option("SESSION", asked->session, "A session file; without it the GPU of this machine")
      ->check(CLI::ExistingFile);
  verb->add_option(
      "--gpu", asked->gpu,
      "One of the session's GPUs instead of its first, or one of the recorded instead of this machine's");
  verb->add_flag("--again", asked->again, "Measure all of them anew instead of what is missing");
  verb->callback([&options, &status, asked] { status = show_roofs(options, *asked); });
}

}  // namespace rooftile::cli
