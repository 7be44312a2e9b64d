// rooftile-cli report [SESSION] -o DIR
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/platform/session_files.hpp"
#include "analysis/platform/write_file.hpp"
#include "analysis/text/format.hpp"
#include "app/cli/bench/readme_table.hpp"
#include "app/cli/shared/best.hpp"
#include "app/cli/shared/catalogue.hpp"
#include "app/cli/shared/code_models.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/shared/report_source.hpp"
#include "app/cli/tables/launch_advice.hpp"
#include "app/cli/tables/launch_output.hpp"
#include "app/cli/tables/points_table.hpp"
#include "app/cli/tables/report_page.hpp"
#include "app/cli/verbs.hpp"
#include "app/scene/picture/svg_page.hpp"

namespace rooftile::cli {
namespace {

namespace fs = std::filesystem;

struct ReportQuestion {
  fs::path session;
  std::string gpu;  // one of the session's
  fs::path folder = "rooftile-report";
  fs::path readme;  // whose measured table is written anew
};

std::vector<std::string> other_gpus(const SessionLog& log, const Gpu& gpu) {
  std::vector<std::string> names;
  for (const DeviceRecord& device : log.devices) {
    if (device.gpu.name != gpu.name) {
      names.push_back(device.gpu.name);
    }
  }
  return names;
}

std::vector<LaunchReport> placed(std::vector<LaunchReport> all, const Gpu& gpu) {
  std::erase_if(all,
                [&](const LaunchReport& found) { return found.point.gpu != gpu.name || !found.placement; });
  return all;
}

struct Files {
  fs::path roofline, points;
};

Report report_of(const ReportSource& from, const std::vector<LaunchReport>& all, const std::string& gpu_name,
                 const std::vector<Manifest>& kernels) {
  const Gpu& gpu = gpu_of(from.log, gpu_name);
  const Roofs* roofs = from.log.roofs_of(gpu.name);
  Report report;
  report.gpu = fmt::format("{}   CC {}   {} SMs", gpu.name, text(gpu.cc), gpu.sm_count);
  report.other_gpus = other_gpus(from.log, gpu);
  report.origin = from.origin;
  report.roofs = roofs != nullptr ? *roofs : datasheet_roofs(gpu);
  report.all = placed(all, gpu);
  report.best = best_of_each_kernel(report.all, kernels);
  return report;
}

void print(const Report& report, const Files& files) {
  say("{}\n{}, {} points; the best of each kernel:\n\n{}{}\n", report.gpu, report.origin, report.all.size(),
      points_table(report.best).text(), flag_lines(report.best));
  say("The roofline is drawn in {}\nEvery point of the session is in {}\n", files.roofline.string(),
      files.points.string());
  if (!report.other_gpus.empty()) {
    say("The session also holds {}: --gpu chooses.\n", fmt::join(report.other_gpus, ", "));
  }
}

nlohmann::json json(const Report& report, const Files& files) {
  nlohmann::json all = {{"roofline", files.roofline.string()},
                        {"points_csv", files.points.string()},
                        {"points", report.all.size()}};
  for (const auto& found : report.best) {
    all["best"].push_back(json_of(found));
  }
  return all;
}

int report(const Options& options, const ReportQuestion& asked) {
  const std::vector<Manifest> kernels = catalogue(options);
  const Files files = {asked.folder / "roofline.svg", asked.folder / "points.csv"};
  platform::expect_replaceable(files.roofline, scene::svg_kind);
  platform::expect_replaceable(files.points, platform::points_kind);
  const ReportSource source = report_source(options, asked.session, asked.gpu);
  platform::make_folder(asked.folder);
  std::vector<LaunchReport> all = launch_reports(source.log);
  CodeModels code(options, places_of_a_report);
  code.prepare(source.log, kernels, CodeModels::Around::their_moves);
  add_advice(all, source.log, kernels, code.model_at());
  const Report drawn = report_of(source, all, asked.gpu, kernels);
  report_page(drawn).save(files.roofline);
  platform::save_points(all, files.points);
  if (!asked.readme.empty()) {
    if (drawn.best.empty()) {
      throw Error(fmt::format("The session holds no launch for the table of {}.", asked.readme.string()));
    }
    rewrite_table(asked.readme, "measured", measured_table(drawn.best, kernels, drawn.best.at(0).point.gpu));
  }
  if (options.json) {
    say_json(json(drawn, files));
  } else {
    print(drawn, files);
  }
  return success;
}

}  // namespace

void add_report(CLI::App& app, const Options& options, int& status) {
  auto asked = std::make_shared<ReportQuestion>();
  auto* verb = app.add_subcommand(
      "report",
      "Draw a roofline, write its points as CSV and print its table: of a session file, else measured "
      "now, else recorded");
  verb->add_option("SESSION", asked->session, "A session file")->check(CLI::ExistingFile);
  verb->add_option(
      "--gpu", asked->gpu,
      "One of the session's GPUs instead of its first, or one of the recorded instead of this machine's");
  verb->add_option("-o,--output", asked->folder, "Folder to write into")->capture_default_str();
  verb->add_option("--readme", asked->readme, "Write the best of each kernel between this page's markers")
      ->check(CLI::ExistingFile);
  verb->callback([&options, &status, asked] { status = report(options, *asked); });
}

}  // namespace rooftile::cli
