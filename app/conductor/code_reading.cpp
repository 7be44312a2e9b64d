#include "app/conductor/code_reading.hpp"

#include <chrono>

#include "analysis/text/error.hpp"

namespace rooftile::conductor {

CodeReading::~CodeReading() {
  if (deriver_) {
    deriver_->stop();
  }
}

// A worker reads sources and kernels when it starts: another version needs another one.
void CodeReading::begin(const scene::CodeQuestion& question,
                        const std::vector<std::filesystem::path>& folders) {
  place_ = question.place;
  const std::string version = place_.kernel + place_.version;
  scene::CodeAnswer failed;
  std::optional<CodeToRead> launch;
  try {
    launch.emplace(question.kernel, place_.values, question.compiled, question.gpu);
    if (!deriver_ || version_ != version) {
      version_.clear();
      deriver_ = std::make_unique<LaunchDeriver>(worker_, folders);
      version_ = version;
    }
  } catch (const Error& error) {
    failed.why_not = error.what();
  }
  answer_ = std::async(std::launch::async, [this, failed, launch = std::move(launch)] {
    return failed.why_not.empty() ? answer(*launch) : failed;
  });
}

scene::CodeAnswer CodeReading::answer(const CodeToRead& launch) {
  try {
    return {deriver_->derive(launch), ""};
  } catch (const Error& error) {
    return {std::nullopt, error.what()};
  }
}

std::optional<std::pair<scene::CodePlace, scene::CodeAnswer>> CodeReading::take() {
  if (!busy() || answer_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
    return std::nullopt;
  }
  return std::pair(place_, answer_.get());
}

}  // namespace rooftile::conductor
