// rooftile-cli check BASELINE -- PROGRAM ARGUMENTS...: whether a program has become slower since its baseline.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "analysis/platform/run_program.hpp"
#include "analysis/platform/session_files.hpp"
#include "analysis/record/program/meant_names.hpp"
#include "analysis/text/format.hpp"
#include "analysis/verdict/program_check.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/verbs.hpp"
#include "app/cli/verbs/check_table.hpp"
#include "app/conductor/replay_option.hpp"
#include "app/scene/program/program_words.hpp"
#include "app/session/profiled_program.hpp"

namespace rooftile::cli {
namespace {

namespace fs = std::filesystem;

struct CheckQuestion {
  fs::path baseline, session, output, markdown;  // empty: none
  std::vector<std::string> program;
  ProfileOptions options;
  CheckLimits limits;
  std::size_t runs = fewest_rounds, rows = 20;
  bool records = false;
};

const platform::FileKind summary_kind = {
    "a summary of rooftile", [](std::string_view text) { return text.starts_with("## rooftile check"); }};

void expect_question(const CheckQuestion& asked) {
  if (asked.program.empty() == asked.session.empty()) {
    throw UsageError("Name what is checked: a program after --, or --session FILE.");
  }
  try {
    expect_expression(asked.options.kernel);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  if (!asked.program.empty()) {
    platform::expect_program(asked.program);
  }
}

SessionLog one_run(const Options& options, const CheckQuestion& asked) {
  ProfiledProgram program(
      asked.program, asked.options,
      options.json ? platform::ProgramOutput::to_standard_error : platform::ProgramOutput::own);
  const platform::ProgramEnd end = program.wait();
  if (end.status != 0) {
    throw Error(fmt::format("The program {}.", scene::how_it_ended({end.status, end.signal})));
  }
  program.read_on();
  SessionLog run = program.merged();
  if (run.points.empty()) {
    throw Error(scene::why_nothing_recorded(program.processes().empty() ? program.why_not_loaded() : ""));
  }
  return run;
}

// One after the other, the points with ids of their own.
SessionLog all_runs(const Options& options, const CheckQuestion& asked) {
  SessionLog all;
  for (std::size_t run = 1; run <= asked.runs; ++run) {
    const SessionLog one = one_run(options, asked);
    all.header = one.header;
    std::ranges::for_each(one.devices, [&](const DeviceRecord& device) { all.add(device); });
    for (Point point : one.points) {
      point.id = all.points.size() + 1;
      all.add(std::move(point));
    }
    remark("rooftile-cli: run {} of {}: {} on the GPU\n", run, asked.runs,
           text(totals_of({one.points.begin(), one.points.end()}).time));
  }
  return all;
}

int run_check(const Options& options, const CheckQuestion& asked) {
  expect_question(asked);
  const SessionLog baseline = asked.records ? SessionLog{} : platform::load_session(asked.baseline);
  const SessionLog now =
      asked.session.empty() ? all_runs(options, asked) : platform::load_session(asked.session);
  if (asked.records || !asked.output.empty()) {
    platform::save_session(now, asked.records ? asked.baseline : asked.output);
  }
  const ProgramCheck check = check_program(asked.records ? now : baseline, now);
  if (!asked.markdown.empty()) {
    platform::write_file(asked.markdown, check_markdown(check, asked.limits, asked.rows), summary_kind);
  }
  if (options.json) {
    say_json(check_json(check, asked.limits));
  } else {
    remark("\n{}\n{}\n", check_table(check, asked.limits, asked.rows).text(),
           check_sentence(check, asked.limits));
  }
  return check.passes(asked.limits) ? success : failure;
}

}  // namespace

void add_check(CLI::App& app, const Options& options, int& status) {
  auto asked = std::make_shared<CheckQuestion>();
  asked->options.replay = ReplayUse::always;  // every run counts alike
  auto* verb = app.add_subcommand(
      "check", "Say whether a program has become slower since a baseline: check BASELINE -- ./program");
  verb->add_option("BASELINE", asked->baseline, "A session of an earlier check")->required();
  verb->add_option("PROGRAM", asked->program, "The program and its arguments, after --");
  verb->add_flag("--record", asked->records, "Write the baseline instead of checking against it");
  verb->add_option("--session", asked->session, "Check this session of an earlier check, and run nothing");
  verb->add_option("--runs", asked->runs, "Runs of the program")
      ->check(CLI::Range(fewest_rounds, std::size_t{1000}))
      ->capture_default_str();
  verb->add_option("--tolerance", asked->limits.tolerance,
                   "Share by which a figure may grow: 0.03 is 3 %. Beyond it the exit status is 1")
      ->check(CLI::Range(0.0, 10.0))
      ->capture_default_str();
  verb->add_option("--least-share", asked->limits.least_share,
                   "Share of the GPU time below which a kernel is not judged by itself")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  verb->add_option("--kernel", asked->options.kernel,
                   "Only kernels whose names this regular expression is found in");
  add_replay_option(
      *verb, asked->options.replay,
      "never, seldom or always: profile explains them. If it is not given, every counted launch is replayed");
  verb->add_option("--rows", asked->rows, "Rows of the table at most")->capture_default_str();
  verb->add_option("--markdown", asked->markdown, "A file for a summary in Markdown");
  verb->add_option("-o,--output", asked->output, "Session file to write, a baseline for later checks");
  verb->callback([&options, &status, asked] { status = run_check(options, *asked); });
}

}  // namespace rooftile::cli
