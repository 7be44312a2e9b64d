// For tests: the real worker as a child, and a kernel of a user's for it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "analysis/platform/platform.hpp"
#include "analysis/record/records.hpp"
#include "analysis/text/error.hpp"

namespace rooftile::worker {

class WorkerProgram {
 public:
  // The program stands beside the test; its caches and its log go into the folder.
  explicit WorkerProgram(const std::filesystem::path& folder, const std::vector<std::string>& options = {})
      : log_(folder / "worker.log"), program_(command(folder, options), log_) {}

  // Its first record.
  const Header& header() {
    if (!header_) {
      header_ = std::get<Header>(next());
    }
    return *header_;
  }
  // A named facility; absent when the worker did not come so far as to look for it.
  std::optional<Facility> facility(const std::string& name) {
    const auto found = std::ranges::find(header().facilities, name, &Facility::name);
    return found == header().facilities.end() ? std::nullopt : std::optional(*found);
  }

  bool write(const std::string& line) { return program_.write_line(line); }
  // The points of the next answer, the final one last.
  std::vector<Point> answer() {
    std::vector<Point> points;
    while (points.empty() || !points.back().final) {
      if (const Record record = next(); std::holds_alternative<Point>(record)) {
        points.push_back(std::get<Point>(record));
      }
    }
    return points;
  }
  Point ask(const Request& request) {
    write(to_line(request));
    return answer().back();
  }

  SourceProfile profile(const ProfileRequest& request) {
    write(to_line(Request{request}));
    for (;;) {
      if (const Record record = next(); std::holds_alternative<SourceProfile>(record)) {
        return std::get<SourceProfile>(record);
      }
    }
  }

  // How it ends once there is no more input: "ended with status 0".
  std::string end() {
    program_.close_input();
    return wait();
  }
  // How it ends by itself.
  std::string wait() {
    while (program_.running()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return *program_.how_it_ended();
  }
  std::string log() const {
    std::ostringstream text;
    text << std::ifstream(log_).rdbuf();
    return text.str();
  }

 private:
  static std::vector<std::string> command(const std::filesystem::path& folder,
                                          const std::vector<std::string>& options) {
    setenv("XDG_CACHE_HOME", folder.c_str(), 1);
    std::vector<std::string> words = {(platform::executable_directory() / "rooftile-worker").string()};
    words.insert(words.end(), options.begin(), options.end());
    return words;
  }
  Record next() {
    const auto line = program_.read_line();
    if (!line) {
      throw Error("the worker " + wait() + ": " + log());
    }
    return parse_record(*line).value();
  }

  std::filesystem::path log_;
  platform::ChildProcess program_;
  std::optional<Header> header_;
};

// Shares cubins among the workers of all tests: links those of others into the cache of `folder`, and new ones
// back. Other caches stay apart.
class SharedCubins {
 public:
  explicit SharedCubins(const std::filesystem::path& folder) : cache_(folder / "rooftile") {
    std::filesystem::create_directories(cache_);
    std::filesystem::create_directories(all_);
    link_cubins(all_, cache_);
  }
  ~SharedCubins() { link_cubins(cache_, all_); }
  SharedCubins(const SharedCubins&) = delete;
  SharedCubins& operator=(const SharedCubins&) = delete;

 private:
  // A hard link appears whole, whichever test makes it first.
  static void link_cubins(const std::filesystem::path& from, const std::filesystem::path& to) {
    for (const auto& file : std::filesystem::directory_iterator(from)) {
      std::error_code there_already;
      if (file.path().extension() == ".cubin") {
        std::filesystem::create_hard_link(file.path(), to / file.path().filename(), there_already);
      }
    }
  }

  const std::filesystem::path cache_,
      all_ = std::filesystem::path(testing::TempDir()) / "rooftile_shared_cubins";
};

// Two files in a folder of the kernel's name, and a reference beside them: out[i] = 2 in[i].
// The source defines `mine`, which gets (const float* in, float* out, int N). work: lines for the manifest's
// table of that name.
inline void write_kernel(const std::filesystem::path& folder, const std::string& source,
                         const std::string& work = "") {
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "mine.cu") << source;
  std::ofstream(folder / "reference.cu")
      << "extern \"C\" __global__ void reference(const float* in, float* out, int N) {\n"
         "  for (int i = threadIdx.x; i < N; i += blockDim.x) out[i] = 2 * in[i];\n"
         "}\n";
  std::ofstream(folder / "kernel.toml") << R"toml(
title = "Mine"
idea = "twice the input"
order = 1
source = "mine.cu"
entry = "mine"

[[parameter]]
name = "BLOCK"
label = "Block"
values = [64, 128, 256]
default = 128

[[parameter]]
name = "N"
label = "Size"
role = "size"
values = [1024, 4096]
default = 4096

[[buffer]]
name = "in"
count = "N"
role = "input"

[[buffer]]
name = "out"
count = "N"
role = "output"

[launch]
arguments = [{ buffer = "in" }, { buffer = "out" }, { int = "N" }]
grid = ["ceil_div(N, BLOCK)"]
block = ["BLOCK"]

[work]
elements = "N"
elements_label = "numbers"
)toml" << work << R"toml(
[traffic]
compulsory_dram = "8 * N"

[verify]
source = "reference.cu"
entry = "reference"
grid = ["1"]
block = ["256"]
tolerance = "0"
)toml";
}

}  // namespace rooftile::worker
