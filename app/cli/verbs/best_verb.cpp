// rooftile-cli best SESSION [KERNEL] [--header FILE] [--defines | --template]
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/exchange/winner.hpp"
#include "analysis/manifest/catalogue.hpp"
#include "analysis/platform/session_files.hpp"
#include "analysis/text/format.hpp"
#include "app/cli/shared/best.hpp"
#include "app/cli/shared/catalogue.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/shared/report_source.hpp"
#include "app/cli/verbs.hpp"

namespace rooftile::cli {
namespace {

struct BestQuestion {
  std::filesystem::path session;
  std::string kernel;  // empty: each of the session
  std::string gpu;
  std::filesystem::path header;
  bool defines = false, instance = false;

  bool is_of_one_kernel() const { return !header.empty() || defines || instance; }
};

struct Winner {
  const Manifest* kernel;
  Point point;
};

// Only of kernels that are known here: the dials of others are unknown.
std::vector<Winner> winners(const SessionLog& log, const BestQuestion& asked,
                            const std::vector<Manifest>& kernels) {
  const Gpu& gpu = gpu_of(log, asked.gpu);
  std::vector<LaunchReport> all = launch_reports(log);
  std::erase_if(all, [&](const LaunchReport& found) {
    const bool is_meant = asked.kernel.empty() || found.point.kernel == asked.kernel;
    return !is_meant || found.point.gpu != gpu.name || !found.point.competes() || !found.placement;
  });
  std::vector<Winner> best;
  for (const LaunchReport& found : best_of_each_kernel(all, kernels)) {
    if (const Manifest* kernel = known_kernel(kernels, found.point.kernel)) {
      best.push_back({kernel, found.point});
    }
  }
  if (best.empty()) {
    throw Error(fmt::format("The session holds no launch of {} on the {}.",
                            asked.kernel.empty() ? "a kernel that is known" : asked.kernel, gpu.name));
  }
  return best;
}

void write_header(const Winner& winner, const std::filesystem::path& file) {
  platform::write_file(file, constants_header(*winner.kernel, winner.point), platform::constants_kind);
}

void show_winners(const std::vector<Winner>& best, bool as_json) {
  nlohmann::json all = nlohmann::json::array();
  for (const Winner& winner : best) {
    if (as_json) {
      all.push_back(nlohmann::json::parse(winner_json(*winner.kernel, winner.point)));
    } else {
      say("{:>8}  {}\n", text(winner.point.timing->median), measure_line(*winner.kernel, winner.point));
    }
  }
  if (as_json) {
    say_json({{"best", all}});
  }
}

// "ask for its instance with --template", "write TILE = 32 into mine.cu"
std::string instead_of_macros(const Winner& winner, const Parameters& values) {
  std::vector<std::string> constants;
  for (const Parameter& parameter : winner.kernel->parameters) {
    if (parameter.where == ParameterPlace::constant && !parameter.is_of_problem()) {
      constants.push_back(fmt::format("{} = {}", parameter.name, values.at(parameter.name)));
    }
  }
  return !constants.empty() ? fmt::format(": write {} into {}", fmt::join(constants, ", "),
                                          winner.kernel->source.filename().string())
         : winner.kernel->entry.find('<') != std::string::npos ? ": ask for its instance with --template"
                                                               : "";
}

// One line, for a build: "-DTILE=32", "reduce<float, 256>".
void show_line(const Winner& winner, const BestQuestion& asked, bool as_json) {
  if (asked.instance && winner.kernel->entry.find('<') == std::string::npos) {
    throw Error(fmt::format("{} is no template: ask for its macros with --defines.", winner.kernel->name));
  }
  const Parameters values = complete(*winner.kernel, winner.point.parameters);
  const std::string line =
      asked.instance ? entry_at(*winner.kernel, values) : define_options(*winner.kernel, winner.point);
  if (line.empty()) {
    throw Error(
        fmt::format("No dial of {} is a macro{}.", winner.kernel->name, instead_of_macros(winner, values)));
  }
  if (as_json) {
    say_json({{"line", line}});
  } else {
    say("{}\n", line);
  }
}

void best(const Options& options, const BestQuestion& asked) {
  if (asked.is_of_one_kernel() && asked.kernel.empty()) {
    throw UsageError("--header, --defines and --template are of one kernel: name it.");
  }
  const std::vector<Manifest> kernels = catalogue(options);
  if (!asked.kernel.empty()) {
    kernel_named(options, asked.kernel);
  }
  const std::vector<Winner> found = winners(session_in(asked.session), asked, kernels);
  if (!asked.header.empty()) {
    write_header(found.front(), asked.header);
  }
  if (asked.defines || asked.instance) {
    return show_line(found.front(), asked, options.json);
  }
  show_winners(found, options.json);
}

}  // namespace

void add_best(CLI::App& app, const Options& options, int& status) {
  auto asked = std::make_shared<BestQuestion>();
  auto* verb =
      app.add_subcommand("best", "Show the fastest launch of each kernel of a session, and how to repeat it");
  verb->add_option("SESSION", asked->session, "A session file")->required()->check(CLI::ExistingFile);
  verb->add_option("KERNEL", asked->kernel, "One kernel alone");
  verb->add_option("--gpu", asked->gpu, "One of the session's GPUs instead of its first");
  verb->add_option("--header", asked->header, "Write the kernel's dials into this file, as #define lines");
  auto* defines =
      verb->add_flag("--defines", asked->defines, "Print the kernel's dials as options of nvcc alone");
  verb->add_flag("--template", asked->instance, "Print the instance of the kernel's template alone")
      ->excludes(defines);
  verb->callback([&options, &status, asked] {
    best(options, *asked);
    status = success;
  });
}

}  // namespace rooftile::cli
