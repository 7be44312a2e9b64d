#include "app/scene/access/launch_steps.hpp"

#include <algorithm>

#include "analysis/manifest/neighbours.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/chart/kernel_code.hpp"
#include "app/scene/program/program_kernels.hpp"

namespace rooftile::scene {
namespace {

CodePlace place_at(const AppState& state, const Parameters& values) {
  const std::string& name = kernel(state).name;
  return {name, code_version(state, name), state.choice.gpu, values};
}

bool have_steps(const AppState& state) {
  const bool has_code = state.known.session.compiles || state.known.session.brings_code;
  return !is_of_program(kernel(state)) && kernel(state).library.empty() && gpu(state) && has_code &&
         !why_illegal(kernel(state), dialled(state));
}

bool is_shown(const View& view) {
  return is_open(view, Panel::banks) || is_open(view, Panel::sectors) || is_open(view, Panel::tile);
}

const TraceAnswer* answer_at(const AppState& state, const Parameters& values) {
  const auto found = state.known.steps.find(place_at(state, values));
  return found != state.known.steps.end() ? &found->second : nullptr;
}

// Moves of one dial, so that its picture is there in the frame in which it moves.
std::optional<CodeQuestion> steps_to_read(const AppState& state) {
  constexpr std::size_t most_moves = 8;
  if (!is_shown(state.view) || !have_steps(state)) {
    return std::nullopt;
  }
  const Manifest& manifest = kernel(state);
  const Parameters here = dialled(state);
  std::vector<Parameters> places = dial_moves(manifest, here);
  std::ranges::stable_sort(places, {}, [&](const Parameters& at) { return steps_between(manifest, here, at); });
  places.resize(std::min(places.size(), most_moves));
  places.insert(places.begin(), here);
  const auto unread =
      std::ranges::find_if(places, [&](const Parameters& values) { return !answer_at(state, values); });
  return unread != places.end() ? std::optional(CodeQuestion{place_at(state, *unread), manifest, std::nullopt,
                                                             *gpu(state), CodeWanted::steps})
                                : std::nullopt;
}

}  // namespace

const Point* launch_here(const AppState& state) {
  const Point* point = current_point(state);
  const bool is_here = point && point->kernel == state.choice.kernel &&
                       complete(kernel(state), point->parameters) == dialled(state);
  return is_here ? point : nullptr;
}

const ptx::BlockTrace* steps_here(const AppState& state) {
  const TraceAnswer* answer = answer_at(state, dialled(state));
  return answer ? answer->trace.get() : nullptr;
}

std::string why_no_steps(const AppState& state) {
  if (const TraceAnswer* answer = answer_at(state, dialled(state))) {
    return answer->why_not;
  }
  return have_steps(state) ? "Its steps are read from the compiled code. That takes a moment." : "";
}

std::optional<CodeQuestion> next_to_read(const AppState& state) {
  const auto model = code_to_read(state);
  if (model && model->place.values == dialled(state)) {
    return model;
  }
  if (const auto steps = steps_to_read(state)) {
    return steps;
  }
  const auto rest = rest_to_read(state);
  return rest ? rest : model;
}

}  // namespace rooftile::scene
