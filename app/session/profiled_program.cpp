#include "app/session/profiled_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

#include "analysis/platform/platform.hpp"
#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

namespace fs = std::filesystem;

// The library lies in the build folder beside this program, else where it is installed. It is loaded here
// first: CUDA's driver says nothing if it cannot load it.
fs::path injection_library() {
  const fs::path beside = platform::executable_directory();
  std::string tried;
  for (const fs::path& folder : {beside, beside / "../lib/rooftile"}) {
    const fs::path library = (folder / platform::library_file("rooftile-inject")).lexically_normal();
    if (platform::DynamicLibrary::open({library.string()}, &tried)) {
      return library;
    }
  }
  throw Error(
      fmt::format("The library that goes into the program cannot be loaded; rooftile is built with it where "
                  "CUDA is.\n{}",
                  tried));
}

std::map<std::string, std::string> environment(ProfileOptions options, const fs::path& records) {
  options.folder = records;
  auto variables = variables_of(options);
  variables["CUDA_INJECTION64_PATH"] = injection_library().string();
  if (!options.range.empty()) {
    variables["NVTX_INJECTION64_PATH"] = variables["CUDA_INJECTION64_PATH"];
  }
  return variables;
}

std::string text_from(const fs::path& file, std::uintmax_t begin) {
  std::ifstream in(file, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(begin));
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

ProfiledProgram::ProfiledProgram(const std::vector<std::string>& command, ProfileOptions options,
                                 platform::ProgramOutput output)
    : program_(command, environment(std::move(options), records_.path()), output) {}

bool ProfiledProgram::read_on() {
  std::error_code removed;  // by a program that empties its temporary folder
  std::vector<fs::path> files(fs::directory_iterator(records_.path(), removed), {});
  if (removed && !std::exchange(told_of_folder_, true)) {
    troubles_.push_back(fmt::format("the program has removed {}, into which its launches are written",
                                    records_.path().string()));
  }
  std::ranges::sort(files);
  bool any = false;
  for (const fs::path& file : files) {
    any = read_on(file) || any;
  }
  return any;
}

// An empty file belongs to a process that has not written a line yet, or was killed before.
bool ProfiledProgram::read_on(const fs::path& file) {
  std::error_code removed;
  if (fs::is_empty(file, removed) || removed) {
    return false;
  }
  Following& followed = following(file);
  const std::string text = followed.broken ? "" : text_from(file, followed.bytes_read);
  followed.bytes_read += text.size();
  try {
    followed.reader.read(text);
  } catch (const Error& error) {
    followed.broken = true;
    troubles_.push_back(fmt::format("left out: {}", error.what()));
  }
  return !text.empty();
}

ProfiledProgram::Following& ProfiledProgram::following(const fs::path& file) {
  const auto known = files_.find(file);
  if (known != files_.end()) {
    return known->second;
  }
  SessionLog& log = processes_.emplace_back();
  return files_.emplace(file, Following{SessionReader(log, file)}).first->second;
}

}  // namespace rooftile
