// rooftile-cli profile [--kernel REGEX] [--shape SHAPE] [--nvtx REGEX] [--skip N] [--count N] [--every N]
// [--replay WHEN] [-o FILE]
// -- PROGRAM ARGUMENTS...
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <ranges>

#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/run_program.hpp"
#include "analysis/platform/session_files.hpp"
#include "analysis/record/program/meant_names.hpp"
#include "analysis/record/program/profile_options.hpp"
#include "analysis/record/program/program_points.hpp"
#include "analysis/text/format.hpp"
#include "app/cli/shared/gpu_roofs.hpp"
#include "app/cli/shared/live/live_session.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/tables/launch_output.hpp"
#include "app/cli/tables/points_table.hpp"
#include "app/cli/tables/program_table.hpp"
#include "app/cli/tables/range_table.hpp"
#include "app/cli/verbs.hpp"
#include "app/conductor/replay_option.hpp"
#include "app/scene/program/program_words.hpp"
#include "app/session/own_kernel.hpp"
#include "app/session/profiled_program.hpp"
#include "app/session/sources/capture_folder.hpp"
#include "app/session/worker/worker_command.hpp"

namespace rooftile::cli {
namespace {

namespace fs = std::filesystem;

struct ProfileQuestion {
  std::vector<std::string> program;
  ProfileOptions options;
  fs::path file;        // to write, or the folder of a captured launch; empty: none
  std::string capture;  // a regular expression of kernels; empty: nothing is captured
  fs::path source;      // of the captured kernel; empty: not known
  bool csv = false;
  std::size_t rows = 20;
};

void check(const Options& options, const ProfileQuestion& asked) {
  if (asked.csv && options.json) {
    throw UsageError("Choose one of --csv and --json.");
  }
  if (!asked.capture.empty() && asked.file.empty()) {
    throw UsageError("Name the folder of the captured launch with -o FOLDER.");
  }
  try {
    expect_expression(asked.options.kernel);
    expect_expression(asked.options.range);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  platform::expect_program(asked.program);
}

// is_captured: by one process, so that the others need not say that they captured nothing.
void tell_what_is_missing(const std::deque<SessionLog>& processes, bool is_captured) {
  std::vector<std::string> told;
  for (const SessionLog& process : processes) {
    for (const Facility& facility : process.header.facilities) {
      const std::string sentence = fmt::format("{} {}", facility.sentence, facility.fix);
      const bool is_said =
          facility.state == Facility::State::ready || (is_captured && facility.name == "capture");
      if (!is_said && std::ranges::find(told, sentence) == told.end()) {
        remark("rooftile-cli: {}\n", sentence);
        told.push_back(sentence);
      }
    }
  }
}

void tell_end(const platform::ProgramEnd& end) {
  if (!end.signal.empty()) {
    remark("rooftile-cli: the program was ended by signal {} ({}); what it had recorded until then follows.\n",
           end.status - 128, end.signal);
  }
}

constexpr int verdicts_told = 3;  // in full, below the table

void print_table(const std::vector<LaunchReport>& all, const ProgramTotals& totals, std::size_t processes,
                 const ProfileQuestion& asked) {
  const std::size_t rows = asked.rows;
  remark("\n{}{}\n", program_table(all, rows).text(),
         flag_lines({all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(rows, all.size()))}));
  if (all.size() > rows) {
    remark("and {} more; --rows shows them, -o keeps them.\n", all.size() - rows);
  }
  for (const LaunchReport& found : all | std::views::take(verdicts_told)) {
    if (found.point.counters) {
      remark("{}: {}. {}\n", short_kernel_name(found.point.kernel), found.verdict.title, found.verdict.grounds);
    }
  }
  const char* const title = asked.options.by_caller ? "callers" : "NVTX ranges";
  if (const TextTable ranges = range_table(totals, rows, title); !ranges.empty()) {
    remark("\n{}\n", ranges.text());
  }
  remark("{}\n", scene::sum_of(totals, processes));
}

nlohmann::json json_of_program(const std::vector<LaunchReport>& all, const ProgramTotals& totals,
                               const std::vector<std::string>& command, const platform::ProgramEnd& end,
                               std::size_t processes) {
  nlohmann::json json = {{"program",
                          {{"command", command},
                           {"status", end.status},
                           {"processes", processes},
                           {"launches", totals.launches},
                           {"launches_counted", totals.counted},
                           {"launches_counted_in_one_pass", totals.in_one_pass},
                           {"launches_in_graphs", totals.in_graphs},
                           {"kernels_incomplete", totals.incomplete_kernels},
                           {"passes", totals.passes},
                           {"gpu_time_s", totals.time.value},
                           {"counting_s", totals.counting.value}}},
                         {"points", nlohmann::json::array()}};
  for (const auto& [why, time] : totals.uncounted) {
    json["program"]["uncounted_s"][why] = time.value;
  }
  for (const auto& [range, time] : totals.by_range) {
    json["program"]["by_range_s"][range] = time.value;
  }
  for (const LaunchReport& found : all) {
    json["points"].push_back(json_of(found));
  }
  return json;
}

// ", with the dials TILE, PAD"
std::string dial_names(const Manifest& kernel) {
  std::vector<std::string> names;
  for (const Parameter& each : kernel.parameters) {
    if (each.is_compiled() && !each.is_of_problem()) {
      names.push_back(each.name);
    }
  }
  return names.empty() ? "; it has no dials" : fmt::format(", with the dials {}", fmt::join(names, ", "));
}

// If the source cannot be read, the launch is replayed as it was compiled.
void take_source(const Options& options, const ProfileQuestion& asked, const Manifest& launch,
                 const fs::path& place) {
  try {
    const SourceKernel kernel = SourceReading(split_command(options.worker), asked.source,
                                              name_in_source(launch), launch_limit(options), options.given)
                                    .kernel();
    give_source(place, kernel, asked.source);
    remark("rooftile-cli: {} compiles {} from now on{}\n", place.string(), asked.source.string(),
           dial_names(platform::load_manifest(place / "kernel.toml")));
  } catch (const Error& error) {
    remark("rooftile-cli: {} stays as the program compiled it: {}\n", place.string(), error.what());
  }
}

// True if a launch was captured.
bool take_captured(const Options& options, const ProfileQuestion& asked,
                   std::optional<CaptureFolder>& captured) {
  const auto launch = captured ? captured->take(true) : std::nullopt;
  if (launch) {
    remark("rooftile-cli: {}: rooftile-cli measure {}\n", what_was_captured(*launch),
           captured->place().string());
  }
  if (launch && !asked.source.empty()) {
    take_source(options, asked, *launch, captured->place());
  } else if (const auto source = launch ? source_named(captured->place()) : std::nullopt) {
    remark("rooftile-cli: its source is {}: with --source {} it has dials\n", source->string(),
           source->string());
  }
  return launch.has_value();
}

void report_on(const Options& options, const ProfileQuestion& asked, const platform::ProgramEnd& end,
               ProfiledProgram& program, platform::Journal* file, bool is_captured) {
  const std::deque<SessionLog>& processes = program.processes();
  tell_end(end);
  tell_what_is_missing(processes, is_captured);
  if (const std::string lacks = what_a_replay_lacks(processes); !lacks.empty()) {
    remark("{}\n", lacks);
  }
  SessionLog log = program.merged();
  add_missing_roofs(options, log);
  if (log.points.empty()) {
    remark("rooftile-cli: {}\n",
           scene::why_nothing_recorded(processes.empty() ? program.why_not_loaded() : ""));
  }
  const std::vector<LaunchReport> all = launch_reports(log);
  const ProgramTotals totals = totals_of({log.points.begin(), log.points.end()});
  if (file && !processes.empty()) {
    file->replace(log);
  }
  if (options.json) {
    say_json(json_of_program(all, totals, asked.program, end, processes.size()));
  } else if (asked.csv) {
    say("{}", program_csv(all));
  } else if (!all.empty()) {
    print_table(all, totals, processes.size(), asked);
  }
  if (asked.options.by_range && !all.empty() && totals.by_range.empty()) {
    remark("rooftile-cli: No kernel was launched inside an NVTX range{}.\n",
           asked.options.by_operator ? ", nor inside a module or operator of PyTorch" : "");
  }
  if (asked.options.by_caller && !all.empty() && totals.by_range.empty()) {
    remark("rooftile-cli: No function that led to a launch has a name; was the program stripped?\n");
  }
}

int profile(const Options& options, ProfileQuestion asked) {
  std::optional<CaptureFolder> captured;
  check(options, asked);
  if (!asked.capture.empty()) {
    captured.emplace(asked.file);
    asked.options.capture = captured->written_at();
  }
  // The file is held from now on, so that the records of a long program find it free.
  const auto file = asked.file.empty() || captured ? nullptr : std::make_unique<platform::Journal>(asked.file);
  remark("rooftile-cli: {}\n", scene::counting_cost(asked.options));
  const bool keeps_output = !options.json && !asked.csv;
  ProfiledProgram program(
      asked.program, asked.options,
      keeps_output ? platform::ProgramOutput::own : platform::ProgramOutput::to_standard_error);
  const platform::ProgramEnd end = program.wait();
  try {
    program.read_on();
    for (const std::string& trouble : program.take_troubles()) {
      remark("rooftile-cli: {}\n", trouble);
    }
    const bool is_captured = take_captured(options, asked, captured);
    if (captured && !is_captured && !end.signal.empty()) {
      remark("rooftile-cli: no launch is captured: the program ended before one was written down.\n");
    }
    report_on(options, asked, end, program, file.get(), is_captured);
    if (captured && !is_captured && end.status == 0) {
      return failure;
    }
  } catch (const std::exception& error) {  // whatever happens here, the program's status is its own
    remark("rooftile-cli: {}\n", error.what());
    return end.status != 0 ? end.status : static_cast<int>(failure);
  }
  return end.status;
}

using Asked = std::shared_ptr<ProfileQuestion>;

void add_capture_options(CLI::App& verb, const Asked& asked) {
  auto* kernel = verb.add_option("--kernel", asked->options.kernel,
                                 "Only kernels whose names this regular expression is found in");
  auto* output = verb.add_option("-o,--output", asked->file, "Session file to write; with --capture a folder");
  auto* capture = verb.add_option_function<std::string>(
      "--capture",
      [asked](const std::string& expression) { asked->capture = asked->options.kernel = expression; },
      "Count nothing; write the first launch of a kernel whose name this regular expression is found in, with "
      "its memory, to a folder that measure replays");
  capture->needs(output)->excludes(kernel);
  verb.add_option(
          "--source", asked->source,
          "The file that the captured kernel stands in: its numbers become dials of the captured launch")
      ->needs(capture)
      ->check(CLI::ExistingFile)
      ->check(why_no_source);
  verb.add_option("--capture-limit", asked->options.capture_limit,
                  "Bytes that a captured launch may reach at most, such as 8GiB")
      ->transform(CLI::AsSizeValue(false))
      ->needs(capture);
}

// These options say which launches are counted, and how.
void add_counting_options(CLI::App& verb, const Asked& asked) {
  verb.add_option("--shape", asked->options.shape,
                  "Only launches of this grid and block, as the table writes them: \"(64,64,1)x(32,32,1)\"");
  verb.add_option("--skip", asked->options.skip, "Launches of these kernels before any is counted")
      ->check(at_least(0));
  verb.add_option("--count", asked->options.count, "Launches that are counted at most; 0: no limit")
      ->check(at_least(0));
  verb.add_option(
          "--every", asked->options.every,
          "Count one launch in so many of each kernel and shape, again and again, not until it is known once")
      ->check(at_least(0));
  verb.add_option("--times", asked->options.times,
                  "Count each kernel and shape so many times over; the table tells how much its counters vary")
      ->check(CLI::Range(1, 1000));
  add_replay_option(
      verb, asked->options.replay,
      "Whether launches are run again for every pass: never, seldom (until a kernel repeats or the memory is "
      "half full, a tenth of the time at most; from then on a pass a launch) or always");
  verb.add_option(
      "--nvtx", asked->options.range,
      "Only launches inside an NVTX range (push and pop) whose name this regular expression is found in");
}

// These options divide the time further than by kernel.
void add_grouping_options(CLI::App& verb, const Asked& asked) {
  verb.add_flag("--by-range", asked->options.by_range,
                "Tell the time of each NVTX range (push and pop) that the program opens");
  verb.add_flag_callback(
      "--by-operator", [asked] { asked->options.by_range = asked->options.by_operator = true; },
      "The same with a range for each module and operator of PyTorch and each kernel of Triton");
  verb.add_flag("--by-caller", asked->options.by_caller,
                "Tell the time by the functions of the host that lead to each launch")
      ->excludes("--by-range")
      ->excludes("--by-operator");
}

}  // namespace

void add_profile(CLI::App& app, const Options& options, int& status) {
  auto asked = std::make_shared<ProfileQuestion>();
  auto* verb = app.add_subcommand(
      "profile",
      "Run a program of yours and put every kernel it launches on the roofline: profile -- ./program");
  verb->footer(
      "The program keeps its input, output and exit status; what rooftile-cli says stands on standard error. "
      "With --json or --csv that stands on standard output instead, and the program's own output on standard "
      "error.");
  verb->add_option("PROGRAM", asked->program, "The program and its arguments, after --")->required();
  add_capture_options(*verb, asked);
  add_counting_options(*verb, asked);
  add_grouping_options(*verb, asked);
  verb->add_option("--rows", asked->rows, "Rows of the table at most")->capture_default_str();
  verb->add_flag("--csv", asked->csv, "Comma-separated values for a spreadsheet; units stand in its header");
  verb->callback([&options, &status, asked] { status = profile(options, *asked); });
}

}  // namespace rooftile::cli
