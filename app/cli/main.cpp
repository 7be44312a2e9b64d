#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <nlohmann/json.hpp>
#include <span>
#include <sstream>
#include <string_view>

#include "analysis/platform/platform.hpp"
#include "app/cli/shared/catalogue.hpp"
#include "app/cli/shared/completion.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/shared/own_sources.hpp"
#include "app/cli/tables/nearest.hpp"
#include "app/cli/verbs.hpp"

namespace {

using namespace rooftile::cli;

// CLI11 alone would only say that a subcommand is required.
void expect_verb(const CLI::App& app, const std::string& word) {
  std::vector<std::string> known;
  for (const auto* verb : app.get_subcommands({})) {
    known.push_back(verb->get_name());
  }
  if (!word.starts_with('-') && std::ranges::find(known, word) == known.end()) {
    throw UsageError(no_such("verb", word, known));
  }
}

// CLI11 finds NaN in every range.
std::string why_no_number(const std::string& word) {
  return std::isnan(std::strtod(word.c_str(), nullptr)) ? word + " is no number" : "";
}

// Known before the words are parsed, which may fail. What follows "--" is a program's.
bool wants_json(std::span<char*> words) {
  const auto end = std::ranges::find(words, std::string_view("--"));
  return std::find(words.begin(), end, std::string_view("--json")) != end;
}

void add_source_options(CLI::App& app, Options& options) {
  app.add_option("--kernel", options.kernel,
                 "The kernel of a source that is opened, if it has several; for a template its instance");
  app.add_option("--include", options.given.include_folders,
                 "A folder of headers for a source that is opened; can be repeated")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  app.add_option_function<std::vector<std::string>>(
         "-D,--define",
         [&options](const std::vector<std::string>& definitions) {
           for (const std::string& definition : definitions) {
             options.given.options.push_back("-D" + definition);
           }
         },
         "A macro for a source that is opened, as NAME=VALUE; can be repeated")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
}

void add_worker_options(CLI::App& app, Options& options) {
  auto* worker = app.add_option("--worker", options.worker,
                                "Command that starts the worker, in a container or a queue for example");
  app.add_option("--on", options.on,
                 "Measure on this host, as ssh names it: user@host. Nothing need be installed there")
      ->excludes(worker);
  app.add_option("--device", options.device,
                 "Which of the machine's GPUs measures, as the driver counts them: 0, 1")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--launch-limit", options.launch_limit_s,
                 "Seconds that one launch, or the compiler reading a source, may take before it is ended")
      ->check(CLI::Range(shortest_launch_limit_s, longest_launch_limit_s))
      ->check(why_no_number)
      ->capture_default_str();
}

// Answers the scripts of app/cli/completion/: prints a line for each word that fits. "--" may stand before the
// words.
int complete(const CLI::App& app, const Options& options, std::vector<std::string> words) {
  if (!words.empty() && words.front() == "--") {
    words.erase(words.begin());
  }
  for (const std::string& word : completions(app, catalogue(options), gpu_table(options), words)) {
    say("{}\n", word);
  }
  return success;
}

int run(int argc, char** argv) {
  Options options;
  int status = success;
  CLI::App app("Measure tiled CUDA kernels and place them on the roofline of a GPU.", "rooftile-cli");
  app.require_subcommand(1);
  app.fallthrough();
  app.set_version_flag("--version", "rooftile " ROOFTILE_VERSION);
  app.add_flag("--json", options.json, "Write one JSON object; units stand in its keys, ratios are 0..1");
  add_worker_options(app, options);
  for (const auto& [name, values, what] :
       {std::tuple{"--kernels", &options.kernel_folders, "A folder of kernels of your own; can be repeated"},
        std::tuple{"--gpus", &options.gpu_files,
                   "A file of GPUs of your own, as assets/gpus.toml; can be repeated"}}) {
    app.add_option(name, *values, what)->expected(1)->take_all()->allow_extra_args(false);
  }
  add_source_options(app, options);
  for (const auto add :
       {add_kernels, add_new,    add_gpus,   add_predict, add_measure,   add_compare, add_explain, add_lines,
        add_picture, add_roofs,  add_sweep,  add_best,    add_occupancy, add_profile, add_check,   add_doctor,
        add_points,  add_import, add_report, add_page,    add_merge,     add_bench}) {
    add(app, options, status);
  }
  if (argc > 1 && argv[1] == std::string_view("complete")) {
    return complete(app, options, {argv + 2, argv + argc});
  }
  const std::span given(argv + 1, argv + argc);
  const auto verb = std::ranges::find_if(given, [](std::string_view word) { return word != "--json"; });
  if (verb != given.end()) {
    expect_verb(app, *verb);
  }
  std::optional<rooftile::platform::TemporaryFolder> scratch;
  std::vector<std::string> words = with_own_sources({argv + 1, argv + argc}, scratch);
  std::ranges::reverse(words);  // as CLI11 takes them
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out, err;
    const int no_mistake = app.exit(error, out, err);
    say("{}", out.str());
    if (no_mistake == 0) {
      return success;
    }
    remark("{}", err.str());
    if (wants_json({argv, argv + argc})) {
      say_json_error("usage", error.what());
    }
    return bad_usage;
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  rooftile::platform::guard_standard_streams();
  const auto fail = [&](int status, std::string_view id, const char* sentence) {
    remark("rooftile-cli: {}\n", sentence);
    if (wants_json({argv, argv + argc})) {
      say_json_error(id, sentence);
      write_document();
    }
    return status;
  };
  try {
    const int status = run(argc, argv);
    finish_output();
    return status;
  } catch (const UsageError& error) {
    return fail(bad_usage, "usage", error.what());
  } catch (const rooftile::Error& error) {
    return fail(failure, "failure", error.what());
  } catch (const std::exception& error) {
    return fail(failure, "unexpected", error.what());
  }
}
