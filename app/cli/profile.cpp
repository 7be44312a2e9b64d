// rooftile-cli profile [--kernel REGEX] [--nvtx REGEX] [--skip N] [--count N] [--every N] [-o FILE] -- PROGRAM
// ARGUMENTS...
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ranges>

#include "analysis/format.hpp"
#include "analysis/platform/platform.hpp"
#include "analysis/platform/run_program.hpp"
#include "analysis/platform/session_files.hpp"
#include "analysis/profile_options.hpp"
#include "analysis/program_points.hpp"
#include "app/cli/findings.hpp"
#include "app/cli/gpu_roofs.hpp"
#include "app/cli/output.hpp"
#include "app/cli/program_table.hpp"
#include "app/cli/verbs.hpp"

namespace rooftile::cli {
namespace {

namespace fs = std::filesystem;

struct ProfileQuestion {
  std::vector<std::string> program;
  ProfileOptions options;
  fs::path file;  // to write; empty: none
  bool csv = false;
  std::size_t rows = 20;
};

// In the build folder beside this program, else where it is installed. Loaded here first: CUDA's driver says
// nothing where it cannot load it.
fs::path injection_library() {
  const fs::path beside = platform::executable_directory();
  std::string tried;
  for (const fs::path& folder : {beside, beside / "../lib/rooftile"}) {
    const fs::path library = (folder / platform::library_file("rooftile-inject")).lexically_normal();
    if (platform::DynamicLibrary::open({library.string()}, &tried)) {
      return library;
    }
  }
  throw Error(
      fmt::format("The library that goes into the program cannot be loaded; rooftile is built with it where "
                  "CUDA is.\n{}",
                  tried));
}

void check(const Options& options, const ProfileQuestion& asked) {
  if (asked.csv && options.json) {
    throw UsageError("Choose one of --csv and --json.");
  }
  try {
    expect_expression(asked.options.kernel);
    expect_expression(asked.options.range);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  if (!asked.file.empty()) {
    platform::expect_replaceable(asked.file, platform::session_kind);
  }
}

// Those of the processes that recorded anything, and of their own children.
std::vector<SessionLog> processes_in(const fs::path& folder) {
  std::vector<fs::path> files(fs::directory_iterator(folder), {});
  std::ranges::sort(files);
  std::vector<SessionLog> processes;
  for (const fs::path& file : files) {
    if (fs::is_empty(file)) {
      continue;  // killed before it had written a line
    }
    try {
      processes.push_back(platform::load_session(file));
    } catch (const Error& error) {
      remark("rooftile-cli: left out: {}\n", error.what());
    }
  }
  return processes;
}

SessionLog joined(const Options& options, const std::vector<SessionLog>& processes) {
  SessionLog all;
  for (const SessionLog& process : processes) {
    all.header = process.header;
    std::ranges::for_each(process.devices, [&](const DeviceRecord& device) { all.add(device); });
  }
  for (Point& point : merged_program_points(processes)) {
    all.add(std::move(point));
  }
  for (const DeviceRecord& device : all.devices) {
    all.add(RoofsRecord{roofs_or_none(options, device.gpu.name)});
  }
  return all;
}

std::string_view plural(double number) {
  return number == 1 ? "" : "s";
}

void tell_what_is_missing(const std::vector<SessionLog>& processes) {
  std::vector<std::string> told;
  for (const SessionLog& process : processes) {
    for (const Facility& facility : process.header.facilities) {
      const std::string sentence = fmt::format("{} {}", facility.sentence, facility.fix);
      if (facility.state != Facility::State::ready && std::ranges::find(told, sentence) == told.end()) {
        remark("rooftile-cli: {}\n", sentence);
        told.push_back(sentence);
      }
    }
  }
}

void tell_why_nothing(const std::vector<SessionLog>& processes) {
  if (processes.empty()) {
    remark(
        "rooftile-cli: nothing is recorded: the program did not start CUDA, or found no GPU and no driver.\n");
  } else {
    remark(
        "rooftile-cli: nothing is recorded: the program started CUDA, but none of the kernels that are meant "
        "ended.\n");
  }
}

void tell_end(const platform::ProgramEnd& end) {
  if (!end.signal.empty()) {
    remark("rooftile-cli: the program was ended by signal {} ({}); what it had recorded until then follows.\n",
           end.status - 128, end.signal);
  }
}

std::string sum_of(const ProgramTotals& totals, std::size_t processes) {
  std::string all = fmt::format(
      "{} launches of {} kernel{} and shapes in {} process{} took {} on the GPU. {} launch{} counted{}; that "
      "took {}.",
      count(totals.launches), totals.kernels, plural(totals.kernels), processes, processes == 1 ? "" : "es",
      text(totals.time), count(totals.counted), totals.counted == 1 ? " was" : "es were",
      totals.passes > 0 ? fmt::format(" in {} passes each", totals.passes) : "", text(totals.counting));
  if (totals.in_graphs > 0) {
    all += fmt::format(" {} launches came from CUDA graphs, which are timed and never counted.",
                       count(totals.in_graphs));
  }
  return all;
}

constexpr int verdicts_told = 3;  // in full, below the table

void print_table(const std::vector<Findings>& all, const ProgramTotals& totals, std::size_t processes,
                 std::size_t rows) {
  remark("\n{}\n", program_table(all, rows).text());
  if (all.size() > rows) {
    remark("and {} more; --rows shows them, -o keeps them.\n", all.size() - rows);
  }
  for (const Findings& found : all | std::views::take(verdicts_told)) {
    if (found.point.counters && found.verdict) {
      remark("{}: {}. {}\n", short_kernel_name(found.point.kernel), found.verdict->title,
             found.verdict->grounds);
    }
  }
  remark("{}\n", sum_of(totals, processes));
}

nlohmann::json json_of_program(const std::vector<Findings>& all, const ProgramTotals& totals,
                               const std::vector<std::string>& command, const platform::ProgramEnd& end,
                               std::size_t processes) {
  nlohmann::json json = {{"program",
                          {{"command", command},
                           {"status", end.status},
                           {"processes", processes},
                           {"launches", totals.launches},
                           {"launches_counted", totals.counted},
                           {"launches_in_graphs", totals.in_graphs},
                           {"passes", totals.passes},
                           {"gpu_time_s", totals.time.value},
                           {"counting_s", totals.counting.value}}},
                         {"points", nlohmann::json::array()}};
  for (const Findings& found : all) {
    json["points"].push_back(json_of(found));
  }
  return json;
}

std::vector<Findings> findings_of(const SessionLog& log) {
  std::vector<Findings> all;
  for (const Point& point : log.points) {
    all.push_back(findings(point, log));
  }
  return all;
}

void report_on(const Options& options, const ProfileQuestion& asked, const platform::ProgramEnd& end,
               const std::vector<SessionLog>& processes) {
  tell_end(end);
  tell_what_is_missing(processes);
  const SessionLog log = joined(options, processes);
  if (log.points.empty()) {
    tell_why_nothing(processes);
  }
  const std::vector<Findings> all = findings_of(log);
  const ProgramTotals totals = totals_of({log.points.begin(), log.points.end()});
  if (!asked.file.empty() && !processes.empty()) {
    platform::save_session(log, asked.file);
  }
  if (options.json) {
    say_json(json_of_program(all, totals, asked.program, end, processes.size()));
  } else if (asked.csv) {
    say("{}", program_csv(all));
  } else if (!all.empty()) {
    print_table(all, totals, processes.size(), asked.rows);
  }
}

int profile(const Options& options, ProfileQuestion asked) {
  check(options, asked);
  const platform::TemporaryFolder records;
  asked.options.folder = records.path();
  auto variables = variables_of(asked.options);
  variables["CUDA_INJECTION64_PATH"] = injection_library().string();
  if (!asked.options.range.empty()) {
    variables["NVTX_INJECTION64_PATH"] = variables["CUDA_INJECTION64_PATH"];
  }
  remark(
      "rooftile-cli: of each kernel and shape {} is counted: it is replayed in several passes, which took "
      "0.1 s on an H200, and 5 s where a program filled 80 GB. All others run as always and are timed.\n",
      asked.options.every > 0 ? fmt::format("one launch in {}", asked.options.every) : "the first launch");
  const bool keeps_output = !options.json && !asked.csv;
  const auto end = platform::run_program(
      asked.program, variables,
      keeps_output ? platform::ProgramOutput::own : platform::ProgramOutput::to_standard_error);
  try {
    report_on(options, asked, end, processes_in(records.path()));
  } catch (const Error& error) {
    remark("rooftile-cli: {}\n", error.what());
    return end.status != 0 ? end.status : static_cast<int>(failure);
  }
  return end.status;
}

}  // namespace

void add_profile(CLI::App& app, const Options& options, int& status) {
  auto asked = std::make_shared<ProfileQuestion>();
  auto* verb = app.add_subcommand(
      "profile",
      "Run a program of yours and put every kernel it launches on the roofline: profile -- ./program");
  verb->footer(
      "The program keeps its input, output and exit status; what rooftile-cli says stands on standard error. "
      "With "
      "--json or --csv that stands on standard output instead, and the program's own output on standard "
      "error.");
  verb->add_option("PROGRAM", asked->program, "The program and its arguments, after --")->required();
  verb->add_option("--kernel", asked->options.kernel,
                   "Only kernels whose names this regular expression is found in");
  verb->add_option("--skip", asked->options.skip, "Launches of these kernels before any is counted")
      ->check(CLI::NonNegativeNumber);
  verb->add_option("--count", asked->options.count, "Launches that are counted at most; 0: no limit")
      ->check(CLI::NonNegativeNumber);
  verb->add_option("--every", asked->options.every,
                   "Of each kernel and shape count one launch in so many, not the first alone")
      ->check(CLI::NonNegativeNumber);
  verb->add_option(
      "--nvtx", asked->options.range,
      "Only launches inside an NVTX range (push and pop) whose name this regular expression is found in");
  verb->add_option("--rows", asked->rows, "Rows of the table at most")->capture_default_str();
  verb->add_option("-o,--output", asked->file, "Session file to write");
  verb->add_flag("--csv", asked->csv, "Comma-separated values for a spreadsheet; units stand in its header");
  verb->callback([&options, &status, asked] { status = profile(options, *asked); });
}

}  // namespace rooftile::cli
