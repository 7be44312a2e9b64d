#include "app/session/source_reading.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "analysis/platform/text_file.hpp"
#include "analysis/source/launch/written_launch.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"
#include "app/session/worker/worker_command.hpp"

namespace rooftile {
namespace {

std::vector<std::string> reading_command(const std::vector<std::string>& worker,
                                         const std::filesystem::path& source, const std::string& wanted,
                                         const CompileOptions& given) {
  std::vector<std::string> command = worker_command(worker, {});
  command.insert(command.end(), {"--describe", path_for_worker(worker, source)});
  if (!wanted.empty()) {
    command.insert(command.end(), {"--entry", wanted});
  }
  for (const std::filesystem::path& folder : given.include_folders) {
    command.insert(command.end(), {"--include", path_for_worker(worker, folder)});
  }
  command.insert(command.end(), given.options.begin(), given.options.end());
  return command;
}

[[noreturn]] void ask_for_instance(const std::filesystem::path& source) {
  const std::vector<std::string> instances = instances_to_offer(platform::read_text(source).value_or(""));
  if (instances.empty()) {
    throw Error(fmt::format("{} has no kernel: one is a __global__ function.", source.string()));
  }
  throw KernelNotNamed(
      fmt::format("The kernels of {} are templates. Name an instance: rooftile-cli new NAME --from {} --kernel "
                  "\"{}\"",
                  source.string(), source.string(), instances.front()),
      instances);
}

// A kernel without a template that the source does not launch itself is no better guess than an instance that
// it launches.
SourceKernel only_one(const std::vector<SourceKernel>& kernels, const std::filesystem::path& source) {
  if (kernels.empty()) {
    ask_for_instance(source);
  }
  const std::string code = platform::read_text(source).value_or("");
  std::vector<std::string> names;
  std::ranges::transform(kernels, std::back_inserter(names), &SourceKernel::name);
  const auto launched = [&](const std::string& name) { return is_launched(code, name); };
  if (std::ranges::none_of(names, launched)) {
    std::ranges::copy_if(instances_to_offer(code), std::back_inserter(names), launched);
  }
  if (names.size() == 1) {
    return kernels.front();
  }
  std::ranges::stable_partition(names, launched);
  throw KernelNotNamed(
      fmt::format("{} has {} kernels, {}. Choose one: rooftile-cli new NAME --from {} --kernel \"{}\"",
                  source.string(), names.size(), fmt::join(names, ", "), source.string(), names.front()),
      names);
}

}  // namespace

SourceReading::SourceReading(const std::vector<std::string>& worker, const std::filesystem::path& source,
                             const std::string& wanted, std::chrono::milliseconds limit,
                             const CompileOptions& given)
    : source_(source),
      named_(!wanted.empty()),
      worker_(reading_command(worker, source, wanted, given), log()),
      limit_(limit),
      deadline_(Clock::now() + limit),
      line_(std::async(std::launch::async, [this] { return worker_.read_line(); })) {
  worker_.close_input();
}

// Once the worker has ended, line_ waits for nothing.
SourceReading::~SourceReading() {
  worker_.kill();
}

bool SourceReading::done() const {
  return Clock::now() >= deadline_ || line_.wait_for(Clock::duration(0)) == std::future_status::ready;
}

SourceKernel SourceReading::kernel() {
  if (line_.wait_until(deadline_) == std::future_status::timeout) {
    throw Error(fmt::format("The compiler had not read {} after {} and was ended.", source_.string(),
                            text(seconds(limit_))));
  }
  const auto line = line_.get();
  if (!line) {
    constexpr std::string_view speaker = "rooftile-worker: ";
    const std::string said =
        platform::read_text(log()).value_or("The worker said nothing of " + source_.string());
    throw Error(said.starts_with(speaker) ? said.substr(speaker.size()) : said);
  }
  const std::vector<SourceKernel> kernels = parse_source_kernels(*line);
  return named_ && kernels.size() == 1 ? kernels.front() : only_one(kernels, source_);
}

}  // namespace rooftile
