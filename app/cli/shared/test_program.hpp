// For tests: the real program, run as a child with its arguments, in a folder of its own.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "analysis/platform/platform.hpp"
#include "analysis/platform/run_program.hpp"

namespace rooftile::cli {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

struct Outcome {
  std::string how;  // "ended with status 0"
  std::string out, err;
};

inline constexpr const char* ok = "ended with status 0";
inline constexpr const char* failed = "ended with status 1";
inline constexpr const char* misused = "ended with status 2";

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
  }
  return lines;
}

class CommandLine : public ::testing::Test {
 protected:
  CommandLine() {
    setenv("XDG_STATE_HOME", folder_.path().c_str(), 1);
    setenv("XDG_CACHE_HOME", folder_.path().c_str(), 1);
    setenv("XDG_CONFIG_HOME", folder_.path().c_str(), 1);
  }

  Outcome run(Arguments words) const {
    words.insert(words.begin(), ROOFTILE_CLI);
    return outcome_of(words);
  }
  std::string text_of(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(file(name)).rdbuf();
    return text.str();
  }
  // before: what the shell gets in front of the program; after: where its output goes.
  Outcome run_in_shell(const std::string& before, Arguments words, const std::string& after = "") const {
    words.insert(words.begin(), {"sh", "-c", before + "\"$0\" \"$@\" " + after, ROOFTILE_CLI});
    return outcome_of(words);
  }
  // With the scripted worker, which misbehaves as told: "--crash TILE=8".
  Outcome run_scripted(Arguments words, const std::string& script = "") const {
    words.insert(words.end(), {"--worker", SCRIPTED_WORKER " " + script});
    return run(words);
  }
  // A session of sgemm_tiled at these tiles, recorded with the scripted worker.
  std::string recorded(const std::string& name, const std::string& tiles = "8,16") const {
    const std::string session = file(name).string();
    EXPECT_EQ(run_scripted({"sweep", "sgemm_tiled", "TILE=" + tiles, "-o", session}).how, ok);
    return session;
  }
  fs::path file(const std::string& name) const { return folder_.path() / name; }
  void write(const std::string& name, const std::string& words) const {
    fs::create_directories(file(name).parent_path());
    std::ofstream(file(name)) << words;
  }

 private:
  Outcome outcome_of(const Arguments& words) const {
    const fs::path errors = folder_.path() / "errors";
    fs::remove(errors);
    Outcome outcome;
    platform::ChildProcess program(words, errors);
    program.close_input();
    while (const auto line = program.read_line()) {
      outcome.out += *line + "\n";
    }
    while (program.running()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    outcome.how = *program.how_it_ended();
    std::ostringstream said;
    said << std::ifstream(errors).rdbuf();
    outcome.err = said.str();
    return outcome;
  }

  platform::TemporaryFolder folder_;
};

}  // namespace rooftile::cli
