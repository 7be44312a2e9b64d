#include "app/session/own_kernel.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <future>

#include "analysis/error.hpp"
#include "analysis/new_manifest.hpp"
#include "analysis/platform/platform.hpp"
#include "analysis/platform/text_file.hpp"
#include "analysis/platform/write_file.hpp"
#include "app/session/launch_limit.hpp"
#include "app/session/worker_command.hpp"

namespace rooftile {
namespace {

namespace fs = std::filesystem;

fs::path manifest_of(const std::string& name, const fs::path& source) {
  return source.parent_path() / name / "kernel.toml";
}

// A worker of its own, which ends with its answer.
std::vector<SourceKernel> kernels_in(const std::vector<std::string>& worker, const fs::path& source,
                                     const std::string& wanted) {
  std::vector<std::string> command = worker_command(worker, {});
  command.insert(command.end(), {"--describe", source.string()});
  if (!wanted.empty()) {
    command.insert(command.end(), {"--entry", wanted});
  }
  const fs::path log = platform::user_cache_directory() / "describe.log";
  std::error_code none;
  fs::remove(log, none);
  platform::ChildProcess reader(command, log);
  reader.close_input();
  std::promise<void> answered;
  auto deadline = std::async(std::launch::async, [&, done = answered.get_future()] {
    const bool late = done.wait_for(usual_launch_limit) == std::future_status::timeout;
    if (late) {
      reader.kill();
    }
    return late;
  });
  const auto line = reader.read_line();
  answered.set_value();
  if (deadline.get()) {
    throw Error(fmt::format("The compiler had not read {} after {} s and was ended.", source.string(),
                            std::chrono::duration<double>(usual_launch_limit).count()));
  }
  if (!line) {
    throw Error(platform::read_text(log).value_or("The worker said nothing of " + source.string()));
  }
  return parse_source_kernels(*line);
}

}  // namespace

SourceKernel kernel_in_source(const std::vector<std::string>& worker, const fs::path& source,
                              const std::string& wanted) {
  const std::vector<SourceKernel> kernels = kernels_in(worker, source, wanted);
  if (kernels.size() != 1) {
    std::vector<std::string> names;
    std::ranges::transform(kernels, std::back_inserter(names), &SourceKernel::name);
    throw Error(fmt::format("{} has {} kernels, {}. Choose one: rooftile-cli new NAME --from {} --kernel {}",
                            source.string(), kernels.size(), fmt::join(names, ", "), source.string(),
                            names.empty() ? "..." : names.front()));
  }
  return kernels.front();
}

fs::path make_kernel(const std::string& name, const SourceKernel& kernel, const fs::path& source) {
  const fs::path file = manifest_of(name, source);
  if (fs::exists(file)) {
    throw Error(fmt::format("{} is there already: edit it, or choose another name.", file.string()));
  }
  const std::string text =
      new_manifest(kernel, fs::path("..") / source.filename(), platform::read_text(source).value_or(""));
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);  // write_file says why not
  platform::write_file(file, text, platform::any_kind);
  return file;
}

bool is_source(const fs::path& file) {
  return file.extension() == ".cu";
}

OwnKernel own_kernel(const std::vector<std::string>& worker, const fs::path& source) {
  const std::string name = source.stem().string();
  if (!fs::exists(manifest_of(name, source))) {
    make_kernel(name, kernel_in_source(worker, source, ""), source);
  }
  return {source.has_parent_path() ? source.parent_path() : fs::path("."), name};
}

}  // namespace rooftile
