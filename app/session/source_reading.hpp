// The compiler reading a CUDA source of somebody's own, beside whatever its owner does meanwhile.
#pragma once

#include <chrono>
#include <filesystem>
#include <future>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/exchange/compile_commands.hpp"
#include "analysis/platform/platform.hpp"
#include "analysis/platform/run_program.hpp"
#include "analysis/source/kernels/source_kernels.hpp"
#include "analysis/text/error.hpp"
#include "app/session/worker/launch_limit.hpp"

namespace rooftile {

// The source has several kernels, or templates alone, and nobody said which is meant.
struct KernelNotNamed : Error {
  KernelNotNamed(const std::string& sentence, std::vector<std::string> all)
      : Error(sentence), names(std::move(all)) {}

  std::vector<std::string> names;  // to choose from; for a template one instance, which is a guess
};

class SourceReading {
 public:
  // given: folders of headers and macros; "-DTILE=16". wanted: the kernel that is meant, or the instance of a
  // template; empty: the source's only kernel. limit: a compiler that reads for longer is ended. Throws Error
  // if the worker with the compiler cannot be started.
  SourceReading(const std::vector<std::string>& worker, const std::filesystem::path& source,
                const std::string& wanted = "", std::chrono::milliseconds limit = usual_launch_limit,
                const CompileOptions& given = {});
  ~SourceReading();  // ends the worker

  const std::filesystem::path& source() const { return source_; }
  bool is_of_named() const { return named_; }  // somebody said which kernel is meant
  bool done() const;                           // kernel() does not wait any more
  // Once. Waits for the worker, at most until the limit. Throws Error with the compiler's words, or
  // KernelNotNamed.
  SourceKernel kernel();

 private:
  using Clock = std::chrono::steady_clock;
  std::filesystem::path log() const { return folder_.path() / "log"; }

  std::filesystem::path source_;
  bool named_;
  platform::TemporaryFolder folder_;
  platform::ChildProcess worker_;
  std::chrono::milliseconds limit_;
  Clock::time_point deadline_;
  std::future<std::optional<std::string>> line_;
};

}  // namespace rooftile
