#include "app/session/source_reading.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "analysis/platform/text_file.hpp"
#include "analysis/source/code/foreign_text.hpp"
#include "analysis/source/code/masked_code.hpp"
#include "analysis/source/launch/written_launch.hpp"
#include "analysis/text/edit_distance.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"
#include "app/session/worker/worker_command.hpp"

namespace rooftile {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> reading_command(const std::vector<std::string>& worker, const fs::path& source,
                                         const std::string& wanted, const CompileOptions& given) {
  std::vector<std::string> command = worker_command(worker, {});
  command.insert(command.end(), {"--describe", path_for_worker(worker, source)});
  if (!wanted.empty()) {
    command.insert(command.end(), {"--entry", wanted});
  }
  for (const fs::path& folder : given.include_folders) {
    command.insert(command.end(), {"--include", path_for_worker(worker, folder)});
  }
  command.insert(command.end(), given.options.begin(), given.options.end());
  return command;
}

// "(4): did you mean __global__ instead of __gobal__?"; empty where no word before a void is like it.
std::string hint_on_misspelt_kernel(std::string_view code) {
  constexpr int most_mistakes = 4;  // "global"
  const std::string text = masked(code).text;
  const auto words = identifiers(text);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string word(words[i]);
    if (words[i + 1] == "void" && word != "__global__" && edit_distance(word, "__global__") <= most_mistakes) {
      return fmt::format("({}): did you mean __global__ instead of {}?",
                         1 + std::count(text.data(), words[i].data(), '\n'), word);
    }
  }
  return "";
}

// True for "__global__ void f(float* x);", whose __global__ is at `place`.
bool is_only_declared(std::string_view text, std::size_t place) {
  const std::size_t end = text.find_first_of(";{", place);
  return end != text.npos && text[end] == ';';
}

// Says of a __global__ in the text why it is no kernel; empty where there is none.
std::string hint_on_text(std::string_view code) {
  const std::string text = masked(code).text;
  const std::size_t place = text.find("__global__");
  if (place == text.npos) {
    return code.find_first_not_of(" \t\r\n") == code.npos ? " is empty." : "";
  }
  return fmt::format(
      "({}): this __global__ {}", 1 + std::count(text.data(), text.data() + place, '\n'),
      is_only_declared(text, place)
          ? "only declares a kernel: open the file that has its body."
          : "gives no kernel: a kernel is a void function with a body, and no member of a struct.");
}

// Sources and headers below the folder that hold kernels, seen from it; a few of them, in order of their names.
std::vector<std::string> files_with_kernels(const fs::path& folder) {
  constexpr int most_entries = 2'000;
  constexpr std::size_t most_named = 12;
  std::vector<std::string> files;
  std::error_code failed;
  fs::recursive_directory_iterator at(folder.empty() ? "." : folder, failed);
  for (int i = 0; !failed && i < most_entries && at != end(at); at.increment(failed), ++i) {
    const fs::path file = at->path();
    if ((file.extension() == ".cu" || file.extension() == ".cuh") &&
        platform::read_text(file).value_or("").find("__global__") != std::string::npos) {
      files.push_back(file.lexically_relative(folder.empty() ? "." : folder).generic_string());
    }
  }
  std::ranges::sort(files);
  files.resize(std::min(files.size(), most_named));
  return files;
}

std::string without_kernel(const fs::path& source, std::string_view code) {
  for (const std::string& hint : {hint_on_misspelt_kernel(code), why_no_cuda(code), hint_on_text(code)}) {
    if (!hint.empty()) {
      return source.string() + hint;
    }
  }
  const std::vector<std::string> others = files_with_kernels(source.parent_path());
  return others.empty() ? source.string() + " has no kernel: write one as a __global__ void function."
                        : fmt::format("{} has no kernel. Files around it have: {}.", source.string(),
                                      fmt::join(others, ", "));
}

[[noreturn]] void ask_for_instance(const fs::path& source, std::string_view code,
                                   const std::vector<std::string>& instances) {
  if (instances.empty()) {
    throw Error(without_kernel(source, code));
  }
  throw KernelNotNamed(fmt::format("The kernels of {} are templates. Name an instance: --kernel \"{}\"",
                                   source.string(), instances.front()),
                       instances);
}

// The kernel that the source launches, if it launches one alone, else a lone kernel; unless instances of
// templates are launched too.
SourceKernel only_one(const SourceDescription& described, const fs::path& source) {
  const std::vector<SourceKernel>& kernels = described.kernels;
  const std::string code = platform::read_text(source).value_or(""), &launching = described.launched_by.code;
  const std::string all = code + "\n" + launching;
  const auto is_launched_here = [&](const std::string& name) { return is_launched(all, name); };
  if (kernels.empty()) {
    std::vector<std::string> instances = instances_to_offer(code, launching);
    std::ranges::copy(described.instances_in_headers, std::back_inserter(instances));
    ask_for_instance(source, code, instances);
  }
  std::vector<std::string> names;
  std::ranges::transform(kernels, std::back_inserter(names), &SourceKernel::name);
  for (const auto& instances : {launched_instances(code, launching), described.instances_in_headers}) {
    std::ranges::copy_if(instances, std::back_inserter(names), [&](const std::string& instance) {
      return std::ranges::find(names, instance) == names.end();
    });
  }
  const auto launched = std::ranges::find_if(kernels, is_launched_here, &SourceKernel::name);
  const auto times = std::ranges::count_if(kernels, is_launched_here, &SourceKernel::name);
  if (names.size() == kernels.size() && (times == 1 || kernels.size() == 1)) {
    return times == 1 ? *launched : kernels.front();
  }
  std::ranges::stable_partition(names, is_launched_here);
  throw KernelNotNamed(fmt::format("{} has {} kernels, {}. Choose one: --kernel \"{}\"", source.string(),
                                   names.size(), fmt::join(names, ", "), names.front()),
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
    throw Error(
        fmt::format("The compiler had not read {} after {} and was ended. If the file is only large, "
                    "rooftile-cli gives it longer: --launch-limit 300.",
                    source_.string(), text(seconds(limit_))));
  }
  const auto line = line_.get();
  if (!line) {
    constexpr std::string_view speaker = "rooftile-worker: ";
    const std::string said =
        platform::read_text(log()).value_or("The worker said nothing of " + source_.string());
    throw Error(said.starts_with(speaker) ? said.substr(speaker.size()) : said);
  }
  SourceDescription described = parse_source_description(*line);
  SourceKernel kernel =
      named_ && described.kernels.size() == 1 ? described.kernels.front() : only_one(described, source_);
  kernel.ptx = std::move(described.ptx);
  return kernel;
}

}  // namespace rooftile
