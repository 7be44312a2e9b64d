// For tests: a program with the library in it, on fakes of the driver and of CUPTI.
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "analysis/platform/platform.hpp"
#include "analysis/platform/questions.hpp"
#include "analysis/platform/run_program.hpp"
#include "analysis/platform/session_files.hpp"
#include "analysis/record/program/meant_names.hpp"
#include "analysis/record/program/profile_options.hpp"
#include "analysis/record/program/program_points.hpp"

namespace rooftile::inject {

using Words = std::vector<std::string>;

class InjectionTest : public testing::Test {
 protected:
  // The records of a program that does this, a log for each process.
  std::vector<SessionLog> records(const Words& words, ProfileOptions options = {},
                                  std::map<std::string, std::string> more = {}) {
    for (const auto* folder : {&folder_, &ways_}) {
      for (const auto& old : std::filesystem::directory_iterator(folder->path())) {
        std::filesystem::remove(old);
      }
    }
    options.folder = folder_.path();
    const MeantNames names(options);
    std::optional<platform::Answerer> answerer;
    if (rooftile_answers_) {
      answerer.emplace(question_socket(options),
                       [&](const std::string& question) { return names.answer(question); });
    }
    const std::filesystem::path here = platform::executable_directory();
    auto variables = variables_of(options);
    variables.merge(more);
    variables.insert({"CUDA_INJECTION64_PATH", (here / "librooftile-inject.so").string()});
    variables.insert({"ROOFTILE_LIBRARY", (here / "librooftile-inject.so").string()});
    variables.insert({"FAKE_METRIC", "1"});  // so a replayed launch took 1 ns
    variables.insert({"FAKE_METRICS", "sm__inst_executed_pipe_tensor.sum=0"});
    variables.insert({"FAKE_LAUNCHES", ways_.path() / "launches"});
    variables.insert({"LD_LIBRARY_PATH", FAKES "/driver:" FAKES "/cuda/lib64"});
    Words command = starts_with_;
    command.push_back((here / "fake_cuda_program").string());
    command.insert(command.end(), words.begin(), words.end());
    status_ = platform::run_program(command, variables).status;
    std::filesystem::remove(question_socket(options));
    std::vector<SessionLog> logs;
    for (const auto& file : std::filesystem::directory_iterator(folder_.path())) {
      logs.push_back(platform::load_session(file.path()));
    }
    return logs;
  }
  // Each point of one process: kernel, launches, counted launches, and the time of all.
  std::vector<std::string> launches(const Words& words, const ProfileOptions& options = {},
                                    const std::map<std::string, std::string>& more = {}) {
    return lines_of(records(words, options, more).at(0));
  }
  static std::vector<std::string> lines_of(const SessionLog& log) {
    std::vector<std::string> lines;
    for (const Point& point : log.points) {
      const ProgramLaunches& program = point.program.value();
      lines.push_back(fmt::format("{} {} {} {:.0f} ns{}", short_kernel_name(point.kernel), program.launches,
                                  program.counted, 1e9 * program.total.value, point.final ? "" : " so far"));
    }
    return lines;
  }

  // Each launch and how it ran, in their order: "a, pass 0", "a, replayed", "a". Left by records().
  Words ways() const {
    std::ifstream file(ways_.path() / "launches");
    Words lines;
    for (std::string line; std::getline(file, line);) {
      lines.push_back(line);
    }
    return lines;
  }

  const platform::TemporaryFolder folder_, ways_;
  Words starts_with_ = {};  // before the program
  bool rooftile_answers_ = true;
  int status_ = 0;
};

}  // namespace rooftile::inject
