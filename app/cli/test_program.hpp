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

namespace rooftile::cli {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

struct Outcome {
  std::string how;  // "ended with status 0"
  std::string out, err;
};

class CommandLine : public ::testing::Test {
 protected:
  CommandLine() {
    fs::create_directories(folder_);
    setenv("XDG_STATE_HOME", folder_.c_str(), 1);
    setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
    setenv("XDG_CONFIG_HOME", folder_.c_str(), 1);
  }
  ~CommandLine() override { fs::remove_all(folder_); }

  Outcome run(Arguments words) const {
    words.insert(words.begin(), ROOFTILE_CLI);
    return outcome_of(words);
  }
  // before: of the program, in the words of a shell; after: where its output goes.
  Outcome run_in_shell(const std::string& before, Arguments words, const std::string& after = "") const {
    words.insert(words.begin(), {"sh", "-c", before + "\"$0\" \"$@\" " + after, ROOFTILE_CLI});
    return outcome_of(words);
  }
  // With the scripted worker, which misbehaves as told: "--crash TILE=8".
  Outcome run_scripted(Arguments words, const std::string& script = "") const {
    words.insert(words.end(), {"--worker", SCRIPTED_WORKER " " + script});
    return run(words);
  }
  fs::path file(const std::string& name) const { return folder_ / name; }
  void write(const std::string& name, const std::string& words) const {
    fs::create_directories(file(name).parent_path());
    std::ofstream(file(name)) << words;
  }

 private:
  Outcome outcome_of(const Arguments& words) const {
    const fs::path errors = folder_ / "errors";
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

  fs::path folder_ = fs::path(::testing::TempDir()) /
                     (std::string("cli_") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

inline constexpr const char* ok = "ended with status 0";
inline constexpr const char* failed = "ended with status 1";
inline constexpr const char* misused = "ended with status 2";

}  // namespace rooftile::cli
