#include <fmt/core.h>

#include <exception>

#include "app/cli/verbs.hpp"

namespace {

int run(int argc, char** argv) {
  using namespace rooftile::cli;
  Options options;
  int status = success;
  CLI::App app("Measure tiled CUDA kernels and place them on the roofline of a GPU.", "rooftile-cli");
  app.require_subcommand(1);
  app.fallthrough();
  app.set_version_flag("--version", "rooftile " ROOFTILE_VERSION);
  app.add_flag("--json", options.json, "Write one JSON object; units stand in its keys, ratios are 0..1");
  app.add_option("--worker", options.worker, "Command that starts the worker, as \"ssh host rooftile-worker\"");
  app.add_option("--kernels", options.kernel_folders, "A folder of kernels of your own; can be repeated")
      ->expected(1)
      ->take_all();
  for (const auto add : {add_kernels, add_gpus, add_predict, add_measure, add_sweep, add_occupancy, add_doctor,
                         add_report, add_merge, add_bench}) {
    add(app, options, status);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? success : bad_usage;
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const rooftile::cli::UsageError& error) {
    fmt::print(stderr, "rooftile-cli: {}\n", error.what());
    return rooftile::cli::bad_usage;
  } catch (const std::exception& error) {
    fmt::print(stderr, "rooftile-cli: {}\n", error.what());
    return rooftile::cli::failure;
  }
}
