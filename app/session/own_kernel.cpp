#include "app/session/own_kernel.hpp"

#include <fmt/format.h>

#include <map>

#include "analysis/copied_manifest.hpp"
#include "analysis/error.hpp"
#include "analysis/new_manifest.hpp"
#include "analysis/platform/text_file.hpp"
#include "analysis/platform/write_file.hpp"
#include "analysis/problem_file.hpp"

namespace rooftile {
namespace {

namespace fs = std::filesystem;

fs::path manifest_of(const std::string& name, const fs::path& source) {
  return source.parent_path() / name / "kernel.toml";
}

void expect_none(const fs::path& manifest) {
  if (std::error_code unknown; fs::exists(manifest, unknown)) {
    throw Error(fmt::format("{} is there already: edit it, or choose another name.", manifest.string()));
  }
}

std::string text_of(const fs::path& file) {
  const auto text = platform::read_text(file);
  if (!text) {
    throw Error(fmt::format("There is no file {}.", file.string()));
  }
  return *text;
}

OwnKernel called_as(const fs::path& source) {
  return {source.has_parent_path() ? source.parent_path() : fs::path("."), source.stem().string()};
}

}  // namespace

fs::path make_kernel(const std::string& name, const SourceKernel& kernel, const fs::path& source) {
  const fs::path file = manifest_of(name, source);
  expect_none(file);
  const std::string text =
      new_manifest(kernel, fs::path("..") / source.filename(), platform::read_text(source).value_or(""));
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);  // write_file says why not
  platform::write_file(file, text, platform::any_kind);
  return file;
}

fs::path copy_kernel(const std::string& name, const Manifest& original) {
  const fs::path folder = name;
  expect_none(folder / "kernel.toml");
  std::map<fs::path, std::string> files = {{"kernel.toml", copied_manifest(text_of(original.file), original)}};
  if (!original.problem.empty()) {
    files.emplace("problem.toml", text_of(problem_file_of(original.file, platform::read_text)));
  }
  if (original.verify) {
    files.emplace(original.verify->source.filename(), text_of(original.verify->source));
  }
  if (original.library.empty() && !files.emplace(name + ".cu", text_of(original.source)).second) {
    throw Error(fmt::format("The name {} is that of its reference: choose another one.", name));
  }
  std::error_code failed;
  fs::create_directories(folder, failed);  // write_file says why not
  for (const auto& [file, text] : files) {
    platform::write_file(folder / file, text, platform::any_kind);
  }
  return folder / "kernel.toml";
}

bool is_source(const fs::path& file) {
  return file.extension() == ".cu";
}

std::optional<OwnKernel> made_kernel(const fs::path& source) {
  const OwnKernel own = called_as(source);
  std::error_code unknown;
  return fs::exists(manifest_of(own.name, source), unknown) ? std::optional(own) : std::nullopt;
}

OwnKernel make_kernel(SourceReading& reading) {
  const OwnKernel own = called_as(reading.source());
  make_kernel(own.name, reading.kernel(), reading.source());
  return own;
}

OwnKernel own_kernel(const std::vector<std::string>& worker, const fs::path& source) {
  if (const auto made = made_kernel(source)) {
    return *made;
  }
  SourceReading reading(worker, source);
  return make_kernel(reading);
}

}  // namespace rooftile
