// rooftile-cli new NAME --from FILE.cu: a first kernel.toml for a source of somebody's own; --from SPACE.json:
// of a tuner's search space; --from KERNEL: a copy of a bundled kernel to begin with.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "analysis/platform/catalogue_files.hpp"
#include "app/cli/shared/catalogue.hpp"
#include "app/cli/shared/live/live_session.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/verbs.hpp"
#include "app/session/own_kernel.hpp"
#include "app/session/worker/worker_command.hpp"

namespace rooftile::cli {
namespace {

struct NewQuestion {
  std::string name;
  std::string from;
  std::string kernel;
};

void expect_free_name(const std::string& name) {
  if (name.empty() || name != std::filesystem::path(name).filename() || name == "." || name == "..") {
    throw UsageError(fmt::format("\"{}\" is not the name of a folder.", name));
  }
  if (platform::load_catalogue_with({}).knows(name)) {
    throw UsageError(fmt::format("{} is a bundled kernel: choose another name.", name));
  }
}

int copy_bundled(const Options& options, const NewQuestion& asked) {
  const Manifest original = kernel_named({}, asked.from);
  const std::string file = copy_kernel(asked.name, original).string();
  if (options.json) {
    say_json({{"kernel", asked.name}, {"file", file}, {"entry", original.entry}});
    return success;
  }
  say("{} is a copy of {}. Change its files, then\nrooftile-cli --kernels . measure {}\n", file, asked.from,
      asked.name);
  return success;
}

int describe_source(const Options& options, const NewQuestion& asked) {
  const std::filesystem::path source = asked.from;
  const SourceKernel kernel =
      SourceReading(split_command(options.worker), source, asked.kernel, launch_limit(options), options.given)
          .kernel();
  const std::string file = make_kernel(asked.name, kernel, source).string();
  if (options.json) {
    say_json(
        {{"kernel", asked.name}, {"file", file}, {"entry", kernel.name}, {"parameter_types", kernel.types}});
    return success;
  }
  const std::string folder = source.has_parent_path() ? source.parent_path().string() : ".";
  say("{} describes {}({}). Its sizes, block and grid are guesses: look it through, then\n"
      "rooftile-cli --kernels {} measure {}\n",
      file, kernel.name, fmt::join(kernel.types, ", "), folder, asked.name);
  return success;
}

// A tuner's search space says what only the launch of a source would.
int describe_space(const Options& options, const NewQuestion& asked) {
  const std::string file = make_kernel_of_space(asked.name, asked.from).string();
  if (options.json) {
    say_json({{"kernel", asked.name}, {"file", file}, {"entry", platform::load_manifest(file).entry}});
    return success;
  }
  const std::filesystem::path folder = std::filesystem::path(asked.from).parent_path();
  say("{} holds the dials, the conditions and the launch of {}.\nrooftile-cli --kernels {} measure {}\n", file,
      asked.from, folder.empty() ? "." : folder.string(), asked.name);
  return success;
}

int make_new(const Options& options, const NewQuestion& asked) {
  expect_free_name(asked.name);
  if (std::filesystem::path(asked.from).extension() == ".json") {
    return describe_space(options, asked);
  }
  return std::filesystem::is_regular_file(asked.from) ? describe_source(options, asked)
                                                      : copy_bundled(options, asked);
}

// An argument that looks like a file must be one.
std::string why_no_origin(const std::string& from) {
  if (std::string why = why_no_source(from); !why.empty()) {
    return why;
  }
  const bool is_file = is_source(from) || from.ends_with(".json") || from.find('/') != std::string::npos;
  return is_file ? CLI::ExistingFile(from) : "";
}

}  // namespace

void add_new(CLI::App& app, const Options& options, int& status) {
  auto asked = std::make_shared<NewQuestion>();
  auto* verb = app.add_subcommand(
      "new", "Begin a kernel of yours: a first kernel.toml for a CUDA source, or a copy of a bundled kernel");
  verb->add_option("NAME", asked->name, "The kernel's name; a folder of this name is made")->required();
  verb->add_option(
          "--from", asked->from,
          "The source, a .cu file; a tuner's search space (.json); or a bundled kernel, to be copied here")
      ->required()
      ->check(why_no_origin);
  verb->add_option(
      "--kernel", asked->kernel,
      "The kernel, if the source has several; for a template its instance, as \"reduce<float, 256>\"");
  verb->callback([&options, &status, asked] { status = make_new(options, *asked); });
}

}  // namespace rooftile::cli
