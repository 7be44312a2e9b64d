#include "app/session/own_kernel.hpp"

#include <fmt/format.h>

#include "analysis/error.hpp"
#include "analysis/new_manifest.hpp"
#include "analysis/platform/text_file.hpp"
#include "analysis/platform/write_file.hpp"

namespace rooftile {
namespace {

namespace fs = std::filesystem;

fs::path manifest_of(const std::string& name, const fs::path& source) {
  return source.parent_path() / name / "kernel.toml";
}

OwnKernel called_as(const fs::path& source) {
  return {source.has_parent_path() ? source.parent_path() : fs::path("."), source.stem().string()};
}

}  // namespace

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

std::optional<OwnKernel> made_kernel(const fs::path& source) {
  const OwnKernel own = called_as(source);
  return fs::exists(manifest_of(own.name, source)) ? std::optional(own) : std::nullopt;
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
