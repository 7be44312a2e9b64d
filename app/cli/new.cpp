// rooftile-cli new NAME --from FILE.cu: a first kernel.toml for a source of somebody's own.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "app/cli/live_session.hpp"
#include "app/cli/output.hpp"
#include "app/cli/verbs.hpp"
#include "app/session/own_kernel.hpp"

namespace rooftile::cli {
namespace {

struct NewQuestion {
  std::string name;
  std::filesystem::path source;
  std::string kernel;
};

int make_new(const Options& options, const NewQuestion& asked) {
  const SourceKernel kernel = SourceReading(worker_words(options), asked.source, asked.kernel).kernel();
  const std::string file = make_kernel(asked.name, kernel, asked.source).string();
  if (options.json) {
    say_json(
        {{"kernel", asked.name}, {"file", file}, {"entry", kernel.name}, {"parameter_types", kernel.types}});
    return success;
  }
  const std::string folder = asked.source.has_parent_path() ? asked.source.parent_path().string() : ".";
  say("{} describes {}({}). Its sizes, block and grid are guesses: look it through, then\n"
      "rooftile-cli --kernels {} measure {}\n",
      file, kernel.name, fmt::join(kernel.types, ", "), folder, asked.name);
  return success;
}

}  // namespace

void add_new(CLI::App& app, const Options& options, int& status) {
  auto asked = std::make_shared<NewQuestion>();
  auto* verb = app.add_subcommand("new", "Make a first kernel.toml for a CUDA source of yours");
  verb->add_option("NAME", asked->name, "What the kernel is to be called; a folder of this name is made")
      ->required();
  verb->add_option("--from", asked->source, "The source, a .cu file")->required()->check(CLI::ExistingFile);
  verb->add_option("--kernel", asked->kernel,
                   "Which of several; of a template the instance, as \"reduce<float, 256>\"");
  verb->callback([&options, &status, asked] { status = make_new(options, *asked); });
}

}  // namespace rooftile::cli
