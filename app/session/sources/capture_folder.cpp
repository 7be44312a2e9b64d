#include "app/session/sources/capture_folder.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/text_file.hpp"
#include "analysis/platform/write_file.hpp"
#include "analysis/record/program/program_points.hpp"
#include "analysis/source/manifest/captured_manifest.hpp"
#include "analysis/source/manifest/captured_source.hpp"
#include "analysis/source/manifest/new_manifest.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"
#include "app/session/sources/packed_arrays.hpp"

namespace rooftile {
namespace {

namespace fs = std::filesystem;

bool is_taken(const fs::path& place) {
  std::error_code unknown;
  return fs::exists(fs::symlink_status(place, unknown));
}

fs::path expect_free(fs::path place) {
  if (is_taken(place)) {
    throw Error(fmt::format("{} is there already: name another folder.", place.string()));
  }
  return place;
}

// "gemm" of "void mine::gemm<float, 16>(float const*)"
std::string identifier_of(const std::string& kernel) {
  std::string name = short_kernel_name(kernel);
  name = name.substr(0, name.find_first_of("<("));
  std::ranges::replace_if(
      name, [](unsigned char each) { return std::isalnum(each) == 0; }, '_');
  return name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0 ? "kernel" + name : name;
}

}  // namespace

CaptureFolder::CaptureFolder(fs::path place)
    : place_(expect_free(std::move(place))), folder_(fs::absolute(place_)) {}

fs::path CaptureFolder::written_at() const {
  return folder_.path() / "launch";
}

bool CaptureFolder::is_written() const {
  std::error_code unknown;
  return fs::exists(written_at(), unknown);
}

std::optional<Manifest> CaptureFolder::take(bool packed) {
  if (!is_written()) {
    return std::nullopt;
  }
  if (packed) {
    pack_arrays(written_at());
  }
  platform::rename_new(written_at(), place_);
  return platform::load_manifest(place_ / "kernel.toml");
}

std::optional<fs::path> source_named(const fs::path& place) {
  const std::string text = platform::read_text(place / "kernel.toml").value_or("");
  const std::string remark = captured_source_remark;
  const std::size_t at = text.find(remark);
  const std::size_t begin = at + remark.size();
  const fs::path source = at == text.npos ? "" : text.substr(begin, text.find('\n', begin) - begin);
  std::error_code unknown;
  return fs::is_regular_file(source, unknown) ? std::optional(source) : std::nullopt;
}

std::string name_in_source(const Manifest& launch) {
  static const RE2 cast(R"(\((?:int|unsigned int|bool|long|unsigned long)\)\s*)");
  std::string name = launch.title;
  RE2::GlobalReplace(&name, cast, "");
  return short_kernel_name(name, std::string::npos);
}

void give_source(const fs::path& place, const SourceKernel& kernel, const fs::path& source) {
  const fs::path file = place / "kernel.toml";
  const fs::path from = fs::absolute(source).lexically_proximate(fs::absolute(place));
  const std::string made = new_manifest(kernel, from, platform::read_text(source).value_or(""));
  const std::string text = with_source(platform::read_text(file).value_or(""), made);
  const fs::path changed = place / "kernel.toml.new";
  platform::write_new_file(changed, text);
  try {
    platform::load_manifest(changed);
  } catch (const Error&) {
    fs::remove(changed);
    throw;
  }
  fs::rename(changed, file);
}

fs::path free_place(const std::string& kernel) {
  const Catalogue bundled = platform::load_catalogue_with({});
  const std::string name = identifier_of(kernel);
  std::string free = name;
  for (int number = 2; is_taken(free) || bundled.knows(free); ++number) {
    free = fmt::format("{}_{}", name, number);
  }
  return fs::absolute(free);
}

std::string what_was_captured(const Manifest& launch) {
  double bytes = 0;
  for (const Buffer& buffer : launch.buffers) {
    bytes += buffer.count.evaluate({});
  }
  return fmt::format("{} is captured, with the {} of memory that it reaches", short_kernel_name(launch.title),
                     text(Bytes{bytes}));
}

std::string what_a_replay_lacks(const std::deque<SessionLog>& processes) {
  std::string all;
  for (const SessionLog& process : processes) {
    for (const Facility& facility : process.header.facilities) {
      if (facility.name == "capture" && facility.state == Facility::State::ready && !facility.detail.empty()) {
        all += (all.empty() ? "" : "\n") + facility.detail;
      }
    }
  }
  return all;
}

}  // namespace rooftile
