#include "app/cli/shared/own_sources.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "app/cli/shared/live/live_session.hpp"
#include "app/session/own_kernel.hpp"
#include "app/session/sources/revision.hpp"
#include "app/session/worker/worker_command.hpp"

namespace rooftile::cli {
namespace {

// The value of an option, read before the words are parsed: a kernel may have to be made first.
std::string value_in(const std::vector<std::string>& words, const std::string& name) {
  const auto option = std::ranges::find_if(
      words, [&](const std::string& word) { return word == name || word.starts_with(name + "="); });
  if (option == words.end() || (*option == name && option + 1 == words.end())) {
    return {};
  }
  return *option == name ? *(option + 1) : option->substr(name.size() + 1);
}

// Of an option that may be repeated: "--include DIR", "--include=DIR", "-DNAME", "-D NAME".
std::vector<std::string> values_in(const std::vector<std::string>& words, const std::string& name) {
  const bool is_short = name.size() == 2;
  std::vector<std::string> values;
  for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    if (words[i] == name && i + 1 < words.size()) {
      values.push_back(words[++i]);
    } else if (words[i].starts_with(is_short ? name : name + "=") && words[i] != name) {
      values.push_back(words[i].substr(name.size() + (is_short ? 0 : 1)));
    }
  }
  return values;
}

// Skips wrong words: parsing tells of them later.
Options options_in(const std::vector<std::string>& words) {
  Options options;
  options.worker = value_in(words, "--worker");
  options.kernel = value_in(words, "--kernel");
  const double limit = std::strtod(value_in(words, "--launch-limit").c_str(), nullptr);
  if (limit >= shortest_launch_limit_s && limit <= longest_launch_limit_s) {
    options.launch_limit_s = limit;
  }
  for (const std::string& folder : values_in(words, "--include")) {
    options.given.include_folders.emplace_back(folder);
  }
  for (const char* name : {"-D", "--define"}) {
    for (const std::string& definition : values_in(words, name)) {
      options.given.options.push_back("-D" + definition);
    }
  }
  return options;
}

// "--gpu", but neither "--gpu=H200" nor "-DTILE=16" nor "--json".
bool takes_next_word(const std::string& word) {
  return word.starts_with('-') && word.find('=') == std::string::npos && word != "--json" &&
         !(word.starts_with("-D") && word != "-D");
}

// True for anything of that name: reading it tells of a source that is a device, or of links in a circle.
bool is_there(const std::string& file) {
  std::error_code unknown;
  return std::filesystem::exists(std::filesystem::symlink_status(file, unknown));
}

}  // namespace

namespace {

// A source as a revision has it; its files lie in the scratch folder, each revision in one of its own.
std::optional<OwnKernel> kernel_of_revision(const std::string& word, const Options& options,
                                            std::optional<platform::TemporaryFolder>& scratch) {
  const auto wanted = source_revision(word);
  if (!wanted) {
    return std::nullopt;
  }
  if (!scratch) {
    scratch.emplace();
  }
  const std::filesystem::path folder = scratch->path() / std::to_string(std::hash<std::string>()(word));
  const OwnKernel own = own_kernel(split_command(options.worker), checked_out(*wanted, folder),
                                   launch_limit(options), std::nullopt, options.given, options.kernel);
  return named_by_revision(own, *wanted);
}

}  // namespace

std::vector<std::string> with_own_sources(std::vector<std::string> words,
                                          std::optional<platform::TemporaryFolder>& scratch) {
  const Options options = options_in(words);
  const bool only_asks = std::ranges::any_of(
      words, [](const std::string& word) { return word == "occupancy" || word == "predict"; });
  std::vector<std::string> folders;
  for (std::size_t i = 1; i < words.size() && words[i] != "--"; ++i) {  // another program follows it
    if (takes_next_word(words[i - 1])) {
      continue;
    }
    const auto of_revision = kernel_of_revision(words[i], options, scratch);
    if (const auto own = of_revision ? of_revision : kernel_in(words[i])) {
      folders.insert(folders.end(), {"--kernels", own->folder.string()});
      words[i] = own->name;
      continue;
    }
    if (is_source(words[i]) && !takes_next_word(words[i - 1]) && is_there(words[i])) {
      if (only_asks && !scratch) {
        scratch.emplace();
      }
      const OwnKernel own =
          own_kernel(split_command(options.worker), words[i], launch_limit(options),
                     only_asks ? std::optional(scratch->path()) : std::nullopt, options.given, options.kernel);
      folders.insert(folders.end(), {"--kernels", own.folder.string()});
      words[i] = own.name;
    }
  }
  words.insert(words.begin(), folders.begin(), folders.end());
  return words;
}

}  // namespace rooftile::cli
