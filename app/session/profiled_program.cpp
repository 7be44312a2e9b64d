#include "app/session/profiled_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <utility>

#include "analysis/platform/platform.hpp"
#include "analysis/platform/write_file.hpp"
#include "analysis/record/program/meant_names.hpp"
#include "analysis/record/program/program_points.hpp"
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

ProfileOptions in_folder(ProfileOptions options, const fs::path& folder) {
  options.folder = folder;
  return options;
}

platform::Answer answers(const ProfileOptions& options) {
  return [names = std::make_shared<MeantNames>(options)](const std::string& question) {
    return names->answer(question);
  };
}

// Python imports the sitecustomize that it finds first.
std::string python_path() {
  const std::string ours = (platform::data_directory() / "kernels/inject/python").string();
  const char* theirs = std::getenv("PYTHONPATH");
  return theirs != nullptr && *theirs != '\0' ? ours + ":" + theirs : ours;
}

std::map<std::string, std::string> environment(const ProfileOptions& options) {
  auto variables = variables_of(options);
  variables["CUDA_INJECTION64_PATH"] = injection_library().string();
  if (!options.range.empty() || options.by_range) {
    variables["NVTX_INJECTION64_PATH"] = variables["CUDA_INJECTION64_PATH"];
  }
  if (options.by_operator) {
    variables["PYTHONPATH"] = python_path();
  }
  return variables;
}

// A full disk took nothing of what the library wrote down, whatever the program did. Empty where there is room.
std::string why_no_room(const fs::path& folder) {
  constexpr std::size_t a_few_lines = 64 << 10;
  const fs::path file = folder / "room";
  std::error_code none;
  if (!fs::exists(folder, none)) {
    return "";
  }
  try {
    platform::write_new_file(file, std::string(a_few_lines, ' '));
  } catch (const Error& error) {
    return fmt::format("What it launched could not be kept: {}. Set TMPDIR to a folder with room.",
                       error.what());
  }
  fs::remove(file, none);
  return "";
}

std::string text_from(const fs::path& file, std::uintmax_t begin) {
  std::ifstream in(file, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(begin));
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

ProfiledProgram::ProfiledProgram(const std::vector<std::string>& command, const ProfileOptions& options,
                                 platform::ProgramOutput output)
    : names_(question_socket(in_folder(options, records_.path())), answers(options)),
      driver_(platform::library_places(platform::library_file("cuda", "1"))),
      program_(command, environment(in_folder(options, records_.path())), output) {}

std::string ProfiledProgram::why_not_loaded() {
  if (std::string why = why_no_room(records_.path()); !why.empty()) {
    return why;
  }
  if (driver_.is_empty()) {
    return "The program did not start CUDA: this machine has no driver, libcuda.so.1.";
  }
  if (!driver_.was_opened()) {
    return "The program did not start CUDA.";
  }
  if (const std::string words = platform::loaders_refusal(injection_library()); !words.empty()) {
    return "CUDA could not load rooftile's library into the program: " + words;
  }
  return "CUDA's driver was opened, but did not load rooftile's library: it found no GPU, or what starts the "
         "program (env -i, sudo, a container) does not hand on CUDA_INJECTION64_PATH and the file it names.";
}

SessionLog ProfiledProgram::merged() const {
  SessionLog all;
  for (const SessionLog& process : processes_) {
    all.header = process.header;
    std::ranges::for_each(process.devices, [&](const DeviceRecord& device) { all.add(device); });
  }
  for (Point& point : merged_program_points(processes_)) {
    all.add(std::move(point));
  }
  return all;
}

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
