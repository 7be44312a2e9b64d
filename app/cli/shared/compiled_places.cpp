#include "app/cli/shared/compiled_places.hpp"

#include <fmt/format.h>

#include <chrono>

#include "analysis/platform/compiled_table_file.hpp"
#include "analysis/text/format.hpp"
#include "app/cli/shared/live/live_session.hpp"
#include "app/cli/shared/live/progress_line.hpp"

namespace rooftile::cli {

CompiledPlaces::CompiledPlaces(const Options& options, const Manifest& kernel, const Gpu& gpu)
    : options_(options), kernel_(kernel), gpu_(gpu), table_(platform::load_compiled_table({kernel})) {}

bool CompiledPlaces::has_to_compile(const Parameters& parameters) const {
  return kernel_.library.empty() && !why_unfit(kernel_, gpu_.cc) &&
         !table_.find(kernel_.name, parameters, gpu_.cc);
}

std::optional<Compiled> CompiledPlaces::at(const Parameters& parameters) {
  return has_to_compile(parameters) ? compile(parameters) : table_.find(kernel_.name, parameters, gpu_.cc);
}

Session& CompiledPlaces::session() {
  if (!session_) {
    session_.emplace(start(options_));
    wait_until_started(*session_);
  }
  return *session_;
}

void CompiledPlaces::prepare(const std::vector<Parameters>& places) {
  std::vector<Configuration> configurations;
  for (const Parameters& place : places) {
    if (has_to_compile(place)) {
      configurations.push_back({kernel_.name, place});
    }
  }
  if (configurations.size() < 2 || !session().compiles()) {
    return;
  }
  session_->prepare(configurations, gpu_.cc);
  const std::size_t all = session_->preparing();
  for (ProgressLine line; session_->preparing() > 0;) {
    session_->wait(std::chrono::milliseconds(100));
    session_->poll();
    line.show(fmt::format("compiled for {}: {} of {} places", text(gpu_.cc), all - session_->preparing(), all));
  }
}

std::optional<Compiled> CompiledPlaces::compile(const Parameters& parameters) {
  if (!session().compiles()) {
    return std::nullopt;
  }
  const Point answer = answer_to(*session_, session_->compile({kernel_.name, parameters}, gpu_));
  why_not_ = answer.failure || answer.notes.empty() ? answer.failure : answer.notes.front();
  return answer.compiled;
}

}  // namespace rooftile::cli
