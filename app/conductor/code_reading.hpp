// The compiled code of one place at a time, read beside the window by a compiler of its own.
#pragma once

#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/scene/state/code_answer.hpp"
#include "app/session/launch_deriver.hpp"

namespace rooftile::conductor {

using CodeRead = std::variant<scene::CodeAnswer, scene::TraceAnswer>;

class CodeReading {
 public:
  // worker: its command.
  explicit CodeReading(std::vector<std::string> worker) : worker_(std::move(worker)) {}
  ~CodeReading();  // ends the compiler, and waits until a run of the code is over

  bool busy() const { return answer_.valid(); }
  // Where it is not busy. folders: the kernels' beyond the bundled ones.
  void begin(const scene::CodeQuestion& question, const std::vector<std::filesystem::path>& folders);
  // Once, when it is there.
  std::optional<std::pair<scene::CodePlace, CodeRead>> take();

 private:
  scene::CodeAnswer answer(const CodeToRead& launch, scene::CodeWanted wanted);
  scene::TraceAnswer trace(const CodeToRead& launch);

  std::vector<std::string> worker_;
  std::string version_;                     // that the compiler was started for
  std::unique_ptr<LaunchDeriver> deriver_;  // used by the thread of answer_ alone, but for stop()
  scene::CodePlace place_;
  std::future<CodeRead> answer_;
};

}  // namespace rooftile::conductor
