// rooftile-cli import FILE... [--gpu GPU] [--kernel NAME] -o SESSION
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/exchange/ncu_csv.hpp"
#include "analysis/exchange/tuner_file.hpp"
#include "analysis/platform/session_files.hpp"
#include "analysis/platform/text_file.hpp"
#include "analysis/record/program/program_points.hpp"
#include "analysis/text/utf8.hpp"
#include "app/cli/shared/catalogue.hpp"
#include "app/cli/shared/gpu_roofs.hpp"
#include "app/cli/shared/ncu_report.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/tables/launch_output.hpp"
#include "app/cli/tables/points_table.hpp"
#include "app/cli/tables/program_table.hpp"
#include "app/cli/verbs.hpp"
#include "app/session/journal_file.hpp"

namespace rooftile::cli {
namespace {

namespace fs = std::filesystem;

struct ImportQuestion {
  std::vector<fs::path> files;
  fs::path session;    // to write
  std::string gpu;     // empty: as the files say
  std::string kernel;  // likewise
};

struct Imported {
  std::vector<Point> points;
  std::vector<std::string> left_out;
};

std::string text_in(const fs::path& file) {
  return utf8_text(platform::read_text(file).value_or(""));
}

Imported read_foreign(const fs::path& file) {
  if (file.extension() == ".ncu-rep") {
    NcuLaunches launches = read_ncu_csv(ncu_report_csv(file), file);
    return {std::move(launches.points), std::move(launches.left_out)};
  }
  const std::string text = text_in(file);
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin != std::string::npos && text[begin] == '{') {
    TunedLaunches launches = read_tuner_file(text, file);
    return {std::move(launches.points), std::move(launches.left_out)};
  }
  NcuLaunches launches = read_ncu_csv(text, file);
  return {std::move(launches.points), std::move(launches.left_out)};
}

// The GPU of the table that a driver calls so. Other tools leave out or add the maker.
Gpu gpu_called(const Options& options, const std::string& name, const fs::path& file) {
  if (name.empty()) {
    throw UsageError(
        fmt::format("{} does not say on which GPU it was measured: name it with --gpu.", file.string()));
  }
  const std::vector<Gpu> table = gpu_table(options);
  constexpr std::string_view maker = "NVIDIA ";
  const Gpu* found = find_gpu(table, name);
  if (!found && name.starts_with(maker)) {
    found = find_gpu(table, name.substr(maker.size()));
  }
  if (!found) {
    throw UsageError(
        fmt::format("The {} of {} is not in the table of GPUs: name one with --gpu, or describe it in "
                    "a file for --gpus.",
                    name, file.string()));
  }
  return *found;
}

// Notes how far below the clock of the roofs it was measured: Nsight Compute holds the base clock unless told
// otherwise.
void compare_clock(Point& point, const Gpu& gpu) {
  if (point.program && point.counters && point.counters->sm_clock) {
    point.clock = HeldClock{*point.counters->sm_clock, gpu.boost_clock, {}};
  }
}

// Gives each point its GPU and kernel, where the file or the user names them.
void name(std::vector<Point>& points, const Options& options, const ImportQuestion& asked, const fs::path& file,
          SessionLog& log) {
  for (Point& point : points) {
    const Gpu* known = log.gpu(asked.gpu.empty() ? point.gpu : asked.gpu);
    const Gpu gpu = known               ? *known
                    : asked.gpu.empty() ? gpu_called(options, point.gpu, file)
                                        : gpu_named(options, asked.gpu);
    log.add(DeviceRecord{gpu, ""});
    point.gpu = gpu.name;
    compare_clock(point, gpu);
    point.kernel = asked.kernel.empty() ? point.kernel : asked.kernel;
    if (point.kernel.empty()) {
      throw UsageError(
          fmt::format("{} does not say what its kernel is called: name it with --kernel.", file.string()));
    }
  }
}

bool is_of_program(const Point& point) {
  return point.program.has_value();
}

// Points of programs are brought together over all files; the others stay apart.
void add_points(SessionLog& log, const std::deque<SessionLog>& files) {
  std::vector<Point> all = merged_program_points(files);
  for (const SessionLog& file : files) {
    std::ranges::copy_if(file.points, std::back_inserter(all), std::not_fn(is_of_program));
  }
  for (Point& point : all) {
    point.id = log.points.size() + 1;
    log.add(std::move(point));
  }
}

SessionLog imported(const Options& options, const ImportQuestion& asked) {
  SessionLog log;
  log.header = header_of_now();
  std::deque<SessionLog> files;
  for (const fs::path& file : asked.files) {
    Imported read = read_foreign(file);
    for (const std::string& line : in_short(read.left_out)) {
      remark("rooftile-cli: left out: {}\n", line);
    }
    name(read.points, options, asked, file, log);
    files.emplace_back();
    std::ranges::for_each(read.points, [&](Point& point) { files.back().add(std::move(point)); });
  }
  add_points(log, files);
  if (log.points.empty()) {
    throw Error("None of the files holds a launch that can be used.");
  }
  for (const DeviceRecord& device : log.devices) {
    // This machine's GPU and the recorded ones go by the driver's name.
    Roofs roofs = roofs_or_none(options, device.gpu.driver_name);
    roofs.gpu = device.gpu.name;
    log.add(RoofsRecord{std::move(roofs)});
  }
  return log;
}

// Some sets of metrics know the bytes of L2 by Nsight Compute's own definition alone.
LaunchReport report_of(const Point& point, const SessionLog& log) {
  const bool only_returned = point.counters && !point.counters->l2 && point.counters->l2_returned;
  return launch_report(point, log, only_returned ? ByteDefinition::returned : ByteDefinition::requested);
}

void say_imported(const Options& options, const ImportQuestion& asked, const SessionLog& log) {
  std::vector<LaunchReport> of_programs, others;
  nlohmann::json points = nlohmann::json::array();
  for (const Point& point : log.points) {
    const LaunchReport found = report_of(point, log);
    points.push_back(json_of(found));
    (is_of_program(point) ? of_programs : others).push_back(found);
  }
  if (options.json) {
    say_json({{"file", asked.session.string()}, {"points", points}});
    return;
  }
  say("{}{}", of_programs.empty() ? "" : program_table(of_programs, of_programs.size()).text(),
      flag_lines(of_programs));
  say("{}{}", others.empty() ? "" : points_table(others).text(), flag_lines(others));
  say("{} points written to {}\n", log.points.size(), asked.session.string());
}

void import_files(const Options& options, const ImportQuestion& asked) {
  platform::expect_replaceable(asked.session, platform::session_kind);
  const SessionLog log = imported(options, asked);
  platform::save_session(log, asked.session);
  say_imported(options, asked, log);
}

}  // namespace

void add_import(CLI::App& app, const Options& options, int& status) {
  auto asked = std::make_shared<ImportQuestion>();
  auto* verb = app.add_subcommand("import", "Make a session of what Nsight Compute or Kernel Tuner measured");
  verb->add_option("FILE", asked->files,
                   "Output of ncu --csv --page raw, a .ncu-rep, or a cache or results of Kernel Tuner")
      ->required()
      ->check(CLI::ExistingFile);
  verb->add_option("-o,--output", asked->session, "Session file to write")->required();
  verb->add_option("--gpu", asked->gpu,
                   "The GPU that was measured, if the file does not name it; rooftile-cli gpus lists them");
  verb->add_option("--kernel", asked->kernel, "The kernel's name, if the file does not give it");
  verb->callback([&options, &status, asked] {
    import_files(options, *asked);
    status = success;
  });
}

}  // namespace rooftile::cli
