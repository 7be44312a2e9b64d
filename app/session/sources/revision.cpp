#include "app/session/sources/revision.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "analysis/platform/platform.hpp"
#include "analysis/platform/text_file.hpp"
#include "analysis/platform/write_file.hpp"
#include "analysis/source/manifest/manifest_words.hpp"
#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

namespace fs = std::filesystem;

// The lines that a command prints. If it fails, throws Error with its words.
std::vector<std::string> lines_printed_by(const std::vector<std::string>& command, const fs::path& folder) {
  using namespace std::chrono_literals;
  const fs::path errors = folder / "errors.txt";
  platform::ChildProcess program(command, errors);
  program.close_input();
  std::vector<std::string> lines;
  while (auto line = program.read_line()) {
    lines.push_back(std::move(*line));
  }
  while (program.running()) {
    std::this_thread::sleep_for(1ms);
  }
  if (program.how_it_ended() != "ended with status 0") {
    throw Error(fmt::format("{} {}: {}", fmt::join(command, " "), program.how_it_ended().value_or(""),
                            platform::read_text(errors).value_or("")));
  }
  return lines;
}

std::string folder_of_source(const fs::path& source) {
  return source.has_parent_path() ? source.parent_path().string() : ".";
}

}  // namespace

std::optional<SourceRevision> source_revision(const std::string& word) {
  std::error_code unknown;
  const std::size_t at = word.rfind('@');
  if (at == std::string::npos || at + 1 == word.size() || word[at + 1] == '-' ||
      !is_source(word.substr(0, at)) || fs::exists(fs::symlink_status(word, unknown))) {
    return std::nullopt;
  }
  return SourceRevision{word.substr(0, at), word.substr(at + 1)};
}

fs::path checked_out(const SourceRevision& wanted, const fs::path& folder) {
  const std::string place = folder_of_source(wanted.source), archive = (folder / "files.tar").string();
  const fs::path files = folder / "files";
  fs::create_directories(files);
  try {
    const auto at =
        lines_printed_by({"git", "-C", place, "rev-parse", "--show-toplevel", "--show-prefix"}, folder);
    const auto commit =
        lines_printed_by({"git", "-C", place, "rev-parse", "--verify", wanted.revision + "^{commit}"}, folder);
    lines_printed_by({"git", "-C", at.at(0), "archive", "--output=" + archive, commit.at(0)}, folder);
    lines_printed_by({"tar", "-xf", archive, "-C", files.string()}, folder);
    fs::remove(archive);
    const fs::path source = files / at.at(1) / wanted.source.filename();
    if (!fs::exists(source)) {
      throw Error(fmt::format("{} had no {} then.", wanted.revision, wanted.source.string()));
    }
    return source;
  } catch (const Error& error) {
    throw Error(fmt::format("{} cannot be taken from revision {}: {}", wanted.source.string(), wanted.revision,
                            error.what()));
  }
}

OwnKernel named_by_revision(const OwnKernel& kernel, const SourceRevision& wanted) {
  std::string revision = wanted.revision;
  std::ranges::replace(revision, '/', '-');
  const OwnKernel named{kernel.folder, kernel.name + "@" + revision};
  const fs::path file = kernel.folder / kernel.name / "kernel.toml";
  const std::string text = platform::read_text(file).value_or("");
  const ManifestWords words = words_of_manifest(text);  // what it leaves out is named by its folder
  platform::write_file(file,
                       (words.source.empty() ? fmt::format("source = \"{}.cu\"\n", kernel.name) : "") +
                           (words.entry.empty() ? fmt::format("entry = \"{}\"\n", kernel.name) : "") + text,
                       platform::any_kind);
  fs::rename(kernel.folder / kernel.name, named.folder / named.name);
  return named;
}

}  // namespace rooftile
