#include "app/cli/own_sources.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <string_view>

#include "app/session/own_kernel.hpp"

namespace rooftile::cli {
namespace {

// Known before the words are parsed, since a kernel may have to be made first.
std::vector<std::string> worker_in(const std::vector<std::string>& words) {
  constexpr std::string_view name = "--worker";
  const auto option = std::ranges::find_if(words, [&](const std::string& word) {
    return word == name || word.starts_with(std::string(name) + "=");
  });
  if (option == words.end() || (*option == name && option + 1 == words.end())) {
    return {};
  }
  std::istringstream in(*option == name ? *(option + 1) : option->substr(name.size() + 1));
  return {std::istream_iterator<std::string>(in), {}};
}

// Whatever it is: a source that is a device, or links in a circle, are told of when they are read.
bool is_there(const std::string& file) {
  std::error_code unknown;
  return std::filesystem::exists(std::filesystem::symlink_status(file, unknown));
}

}  // namespace

std::vector<std::string> with_own_sources(std::vector<std::string> words) {
  const std::vector<std::string> worker = worker_in(words);
  std::vector<std::string> folders;
  for (std::size_t i = 1; i < words.size() && words[i] != "--"; ++i) {  // behind it stands another program
    if (is_source(words[i]) && !words[i - 1].starts_with("-") && is_there(words[i])) {
      const OwnKernel own = own_kernel(worker, words[i]);
      folders.insert(folders.end(), {"--kernels", own.folder.string()});
      words[i] = own.name;
    }
  }
  words.insert(words.begin(), folders.begin(), folders.end());
  return words;
}

}  // namespace rooftile::cli
