// rooftile-cli roofs [SESSION] [--gpu NAME] [--again]
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "analysis/roofline/roof_table.hpp"
#include "analysis/text/format.hpp"
#include "app/cli/shared/gpu_roofs.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/shared/report_source.hpp"
#include "app/cli/tables/text_table.hpp"
#include "app/cli/verbs.hpp"

namespace rooftile::cli {
namespace {

struct RoofsQuestion {
  std::filesystem::path session;
  std::string gpu;  // one of the session's
  bool again = false;
};

Roofs roofs_of(const Options& options, const RoofsQuestion& asked) {
  if (!asked.session.empty()) {
    return roofs_in(session_in(asked.session), asked.gpu);
  }
  return gpu_roofs(options, asked.gpu, asked.again);
}

// Below this intensity DRAM limits FP32 work.
std::optional<FlopsPerByte> ridge_of(const Roofs& roofs) {
  const MemoryRoof* dram = roofs.find(MemoryLevel::dram);
  const ComputeRoof* peak = roofs.find(fp32_pipe);
  return dram && peak ? std::optional(ridge_point(dram->bandwidth, peak->peak)) : std::nullopt;
}

void print(const Roofs& roofs) {
  TextTable table({"roof", "measured", "sustained", "spec", "datasheet"}, "lrrrr");
  const auto rows = roof_table(roofs);
  for (const RoofRow& row : rows) {
    table.add({row.name, row.measured, row.sustained, row.spec, row.datasheet});
  }
  say("{}\n{}", roofs.gpu, table.text());
  if (const auto ridge = ridge_of(roofs)) {
    say("\nridge of FP32 and DRAM: {}\n", text(*ridge));
  }
  for (const RoofRow& row : rows) {
    say("\n{}\n", row.name);
    for (const std::string& source : row.sources) {
      say("  {}\n", source);
    }
  }
}

// In cycles of the boost clock.
void print_paces(const Roofs& roofs) {
  say("\ncycles\n");
  for (const Pace pace : all_paces) {
    const PaceFigure& figure = roofs.find(pace);
    say("  {} {:.3g}, {}{}\n", title(pace), figure.cycles,
        figure.origin == Origin::measured ? "measured: " : "", figure.source);
  }
}

int show_roofs(const Options& options, const RoofsQuestion& asked) {
  const Roofs roofs = roofs_of(options, asked);
  if (options.json) {
    nlohmann::json all = nlohmann::json::parse(to_line(RoofsRecord{roofs}));
    if (const auto ridge = ridge_of(roofs)) {
      all["ridge_flop_per_byte"] = ridge->value;
    }
    say_json(all);
  } else {
    print(roofs);
    print_paces(roofs);
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
  verb->add_option("--gpu", asked->gpu,
                   "One of the session's GPUs instead of its first; without a session one that is recorded or "
                   "in the table of GPUs, "
                   "instead of this machine's");
  verb->add_flag("--again", asked->again, "Measure all roofs again, not only the missing ones");
  verb->callback([&options, &status, asked] { status = show_roofs(options, *asked); });
}

}  // namespace rooftile::cli
