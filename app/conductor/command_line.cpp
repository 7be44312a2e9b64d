#include "app/conductor/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <iostream>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "analysis/record/program/meant_names.hpp"
#include "analysis/text/error.hpp"
#include "app/conductor/replay_option.hpp"
#include "app/session/own_kernel.hpp"
#include "app/session/worker/worker_command.hpp"

namespace rooftile::conductor {
namespace {

// "1600x960"
std::pair<int, int> parse_size(const std::string& words) {
  int width = 0, height = 0;
  char by = 0;
  std::istringstream in(words);
  if (!(in >> width >> by >> height) || by != 'x' || width < 320 || height < 240 || !in.eof()) {
    throw CLI::ValidationError("--size", "expected WIDTHxHEIGHT, such as 1600x960, not '" + words + "'");
  }
  return {width, height};
}

// "TILE=32"
std::pair<std::string, double> parse_value(const std::string& words) {
  const auto equals = words.find('=');
  const std::string_view number =
      equals == std::string::npos ? std::string_view() : std::string_view(words).substr(equals + 1);
  double value = 0;
  const auto [end, failed] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (equals == 0 || failed != std::errc() || end != number.data() + number.size()) {
    throw CLI::ValidationError("--set", "expected NAME=VALUE, such as TILE=32, not '" + words + "'");
  }
  return {words.substr(0, equals), value};
}

struct Words {
  std::string worker, screenshot, times, size, theme, gpu, kernel;
  std::vector<std::string> sessions, values, definitions;
  float scale = 0;
};

void add_options(CLI::App& app, CommandLine& options, Words& words) {
  app.add_option(
      "session", words.sessions,
      "session file to replay, and others to compare it with, a CUDA source of yours, or a lesson; without "
      "it: this machine's GPU, else a recording");
  app.add_flag("--live", options.live, "measure on this machine, even where no GPU is found");
  auto* worker =
      app.add_option("--worker", words.worker, "command of the worker, in a container or a queue for example");
  app.add_option("--on", options.on,
                 "measure on this host, as ssh names it: user@host; nothing need be installed there")
      ->excludes(worker);
  app.add_option("--device", options.device,
                 "which of the machine's GPUs measures, as the driver counts them: 0, 1")
      ->check(CLI::NonNegativeNumber);
  for (const auto& [name, values, what] :
       {std::tuple{"--kernels", &options.kernel_folders, "a folder of kernels of your own; can be repeated"},
        std::tuple{"--include", &options.given.include_folders,
                   "a folder of headers for a source that is opened; can be repeated"},
        std::tuple{"--gpus", &options.gpu_files,
                   "a file of GPUs of your own, as assets/gpus.toml; can be repeated"}}) {
    app.add_option(name, *values, what)->take_all()->expected(1)->allow_extra_args(false);
  }
  app.add_option("--kernel", words.kernel,
                 "kernel to start with, beside a source one of its own; of a program only kernels whose names "
                 "this regular expression is found in");
  app.add_option("-D,--define", words.definitions,
                 "a macro for a source that is opened, as NAME=VALUE; can be repeated")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  app.add_option("--set", words.values, "a dial to set, as NAME=VALUE")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  app.add_option("--gpu", words.gpu, "GPU whose roofs are drawn: of the session, or of the bundled table");
  app.add_option("--screenshot", words.screenshot, "draw until everything has settled, write a PNG, leave");
  app.add_option("--times", words.times,
                 "time the first frame, the work of a frame and the rest, write them as JSON, leave");
  app.add_option("--size", words.size, "of the window, as WIDTHxHEIGHT");
  app.add_option("--theme", words.theme, "dark or light")->check(CLI::IsMember({"dark", "light"}));
  app.add_option("--scale", words.scale, "of everything: 1.5 for a projector")->check(CLI::Range(0.6, 3.0));
}

// Options for the program that is run.
void add_profile_options(CLI::App& app, ProfileOptions& options) {
  app.add_option("--nvtx", options.range,
                 "of a program only launches inside an NVTX range (push and pop) whose name this regular "
                 "expression is found in");
  for (const auto& [name, number, what] :
       {std::tuple{"--skip", &options.skip, "of a program: launches of these kernels before any is counted"},
        std::tuple{"--count", &options.count, "of a program: launches that are counted at most; 0: no limit"},
        std::tuple{"--every", &options.every,
                   "of a program: count one launch in so many of each kernel and shape, again and again"}}) {
    app.add_option(name, *number, what)->check(CLI::NonNegativeNumber);
  }
  add_replay_option(
      app, options.replay,
      "of a program: whether launches are run again for every pass, which is never, seldom (until a "
      "kernel repeats) or always");
}

template <class T>
void take(std::optional<T>& option, const std::string& words) {
  if (!words.empty()) {
    option = T(words);
  }
}

// A second value for one dial is refused: it would win, and nobody would see that the first was dropped.
void take_values(CommandLine& options, const std::vector<std::string>& words) {
  std::set<std::string> names;
  for (const std::string& word : words) {
    options.values.push_back(parse_value(word));
    if (const std::string& name = options.values.back().first; !names.insert(name).second) {
      throw CLI::ValidationError("--set", name + " is set twice; name it once");
    }
  }
}

void take_files(CommandLine& options, const std::vector<std::string>& words) {
  for (const std::filesystem::path file : words) {
    if (is_source(file)) {
      options.sources.push_back(file);
    } else if (const auto own = kernel_in(file)) {
      options.kernel_folders.push_back(own->folder);
      options.kernel = own->name;
    } else if (const std::string why = why_no_source(file); !why.empty()) {
      throw CLI::ValidationError("session", why);
    } else if (file.extension() == ".md") {
      options.lesson = file;
    } else if (!options.session) {
      options.session = file;
    } else {
      options.beside.push_back(file);
    }
  }
  if (options.session && !options.sources.empty()) {
    throw CLI::ValidationError("session", "open a session or a CUDA source, not both");
  }
}

// Takes the program and checks the options that need one.
void take_program(CommandLine& options) {
  if (options.program.empty()) {
    if (options.profile != ProfileOptions{}) {
      throw CLI::ValidationError("--nvtx, --skip, --count, --every, --replay", "name a program after --");
    }
    return;
  }
  if (options.session || !options.sources.empty()) {
    throw CLI::ValidationError("--", "open a file or run a program, not both");
  }
  options.profile.kernel = options.kernel.value_or("");
  options.kernel.reset();
  for (const std::string& expression : {options.profile.kernel, options.profile.range}) {
    try {
      expect_expression(expression);
    } catch (const Error& error) {
      throw CLI::ValidationError("--kernel, --nvtx", error.what());
    }
  }
}

std::vector<std::string> words_of_worker(const std::string& command) {
  try {
    return split_command(command);
  } catch (const Error& error) {
    throw CLI::ValidationError("--worker", error.what());
  }
}

void take(CommandLine& options, const Words& words) {
  take_files(options, words.sessions);
  for (const std::string& definition : words.definitions) {
    options.given.options.push_back("-D" + definition);
  }
  take(options.screenshot, words.screenshot);
  take(options.times, words.times);
  take(options.gpu, words.gpu);
  take(options.kernel, words.kernel);
  if (!words.size.empty()) {
    options.size = parse_size(words.size);
  }
  if (!words.theme.empty()) {
    options.theme = words.theme == "light" ? Theme::light : Theme::dark;
  }
  if (words.scale > 0) {
    options.scale = words.scale;
  }
  options.live = options.live || !options.kernel_folders.empty();  // no recording holds the user's own kernels
  options.worker = words_of_worker(words.worker);
  take_values(options, words.values);
  take_program(options);
}

void expect_program(const std::vector<std::string>& program) {
  if (program.empty()) {
    throw CLI::ValidationError("--", "name a program after it");
  }
}

constexpr int bad_usage = 2;

// Prints the help, or what is wrong with the words. Returns the exit status, which is not 0 if the help cannot
// be written.
int explain(const CLI::App& app, const CLI::ParseError& error) {
  if (app.exit(error) != 0) {
    return bad_usage;
  }
  if (!std::cout.flush()) {
    std::cerr << "rooftile: Standard output cannot be written.\n";
    return 1;
  }
  return 0;
}

}  // namespace

std::optional<CommandLine> parse_command_line(int argc, const char* const* argv, int& status) {
  CLI::App app("Move a tile-size slider, watch the kernel move on the roofline of your GPU.", "rooftile");
  app.footer(
      "rooftile [OPTIONS] -- PROGRAM [ARGUMENTS...] runs a program and shows the kernels that it launches.");
  CommandLine options;
  Words words;
  add_options(app, options, words);
  add_profile_options(app, options.profile);
  const char* const* const end = argv + argc;
  const char* const* const own_end = std::find(argv, end, std::string_view("--"));
  try {
    app.parse(static_cast<int>(own_end - argv), argv);
    if (own_end != end) {
      options.program.assign(own_end + 1, end);
      expect_program(options.program);
    }
    take(options, words);
  } catch (const CLI::ParseError& error) {
    status = explain(app, error);
    return std::nullopt;
  }
  status = 0;
  return options;
}

}  // namespace rooftile::conductor
