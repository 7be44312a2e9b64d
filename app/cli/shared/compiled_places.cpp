#include "app/cli/shared/compiled_places.hpp"

#include "analysis/platform/compiled_table_file.hpp"
#include "app/cli/shared/live_session.hpp"

namespace rooftile::cli {

CompiledPlaces::CompiledPlaces(const Options& options, const Manifest& kernel, const Gpu& gpu)
    : options_(options), kernel_(kernel), gpu_(gpu), table_(platform::load_compiled_table({kernel})) {}

std::optional<Compiled> CompiledPlaces::at(const Parameters& parameters) {
  if (const auto known = table_.find(kernel_.name, parameters, gpu_.cc)) {
    return known;
  }
  const bool compilable = kernel_.library.empty() && !why_unfit(kernel_, gpu_.cc);
  return compilable ? compile(parameters) : std::nullopt;
}

std::optional<Compiled> CompiledPlaces::compile(const Parameters& parameters) {
  if (!session_) {
    session_.emplace(start(options_));
    wait_until_started(*session_);
  }
  if (!session_->compiles()) {
    return std::nullopt;
  }
  const Point answer = answer_to(*session_, session_->compile({kernel_.name, parameters}, gpu_));
  failure_ = answer.failure;
  return answer.compiled;
}

}  // namespace rooftile::cli
