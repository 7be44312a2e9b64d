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
  std::string why_not;
  std::optional<CodeToRead> launch;
  try {
    launch.emplace(question.kernel, place_.values, question.compiled, question.gpu);
    if (!deriver_ || version_ != version) {
      version_.clear();
      deriver_ = std::make_unique<LaunchDeriver>(worker_, folders);
      version_ = version;
    }
  } catch (const Error& error) {
    why_not = error.what();
  }
  answer_ = std::async(
      std::launch::async, [this, why_not, wanted = question.wanted, launch = std::move(launch)]() -> CodeRead {
        if (wanted == scene::CodeWanted::steps) {
          return why_not.empty() ? trace(*launch) : scene::TraceAnswer{nullptr, why_not};
        }
        return why_not.empty() ? answer(*launch, wanted) : scene::CodeAnswer{std::nullopt, why_not};
      });
}

scene::CodeAnswer CodeReading::answer(const CodeToRead& launch, scene::CodeWanted wanted) {
  try {
    const bool model_alone = wanted == scene::CodeWanted::model;
    return {model_alone ? ptx::DerivedLaunch{deriver_->model(launch), {}, {}} : deriver_->derive(launch), "",
            model_alone};
  } catch (const Error& error) {
    return {std::nullopt, error.what()};
  }
}

scene::TraceAnswer CodeReading::trace(const CodeToRead& launch) {
  try {
    return {std::make_shared<const ptx::BlockTrace>(deriver_->trace(launch)), ""};
  } catch (const Error& error) {
    return {nullptr, error.what()};
  }
}

std::optional<std::pair<scene::CodePlace, CodeRead>> CodeReading::take() {
  if (!busy() || answer_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
    return std::nullopt;
  }
  return std::pair(place_, answer_.get());
}

}  // namespace rooftile::conductor
