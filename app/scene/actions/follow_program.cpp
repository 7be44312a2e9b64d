#include "app/scene/actions/follow_program.hpp"

#include <algorithm>
#include <map>

#include "analysis/record/program/program_points.hpp"
#include "app/scene/actions/reconcile.hpp"
#include "app/scene/actions/visits.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/program/program_kernels.hpp"

namespace rooftile::scene {
namespace {

constexpr std::size_t longest_short_title = 28;

Manifest listed(const std::string& name, const std::string& idea) {
  Manifest manifest;
  manifest.name = name;
  manifest.title = short_kernel_name(name);
  manifest.short_title = short_kernel_name(name, longest_short_title);
  manifest.group = "Program";
  manifest.idea = idea;
  manifest.states_work = false;
  return manifest;
}

Manifest described(const Point& point) {
  Manifest manifest = listed(point.kernel, "A kernel of a program that rooftile ran.");
  manifest.pipe = point.counters ? point.modelled.pipe : fp32_pipe;
  return manifest;
}

// A name that no kernel has.
std::string awaited_name(const AppState& state) {
  return state.known.session.program ? "program " + state.known.session.program->name : "";
}

bool is_followed(const AppState& state) {
  return state.choice.selected == state.view.program_follow.launch && is_of_program(kernel(state));
}

bool join_new_launches(AppState& state) {
  bool any = false;
  for (const Point* launch : program_launches(state)) {
    any = land_live(state, launch->id) || any;
  }
  reconcile(state);
  return any;
}

// Launches of the program go behind all others, the one that took most time last.
void order_trail(AppState& state) {
  std::map<std::uint64_t, double> time;
  for (const Point* launch : program_launches(state)) {
    time[launch->id] = launch->program->total.value;
  }
  std::ranges::stable_sort(state.choice.trail, {}, [&](std::uint64_t id) {
    const auto found = time.find(id);
    return found != time.end() ? found->second : -1;
  });
}

// The GPU that it runs on may be another one than the window had chosen.
void choose_gpu_of_program(AppState& state) {
  const auto& points = state.known.session.log->points;
  const auto any = std::find_if(points.rbegin(), points.rend(),
                                [](const Point& point) { return point.program && landed(point); });
  if (program_launches(state).empty() && any != points.rend()) {
    state.choice.gpu = any->gpu;
  }
}

}  // namespace

void learn_kernel(AppState& state, const Point& point) {
  const auto known = std::ranges::find(state.known.catalogue, point.kernel, &Manifest::name);
  if (known == state.known.catalogue.end() && point.program) {
    state.known.catalogue.push_back(described(point));
    state.derived.advice.places.reset();  // they know a kernel of the catalogue that has moved
  } else if (known != state.known.catalogue.end() && !known->states_work && point.counters) {
    known->pipe = point.modelled.pipe;
  }
}

void visit_program(AppState& state) {
  if (!is_of_program(kernel(state))) {
    return;
  }
  const std::vector<const Point*> launches = program_launches(state);
  for (const Point* launch : launches) {
    visit(state.choice, launch->id);
  }
  if (!launches.empty()) {
    select_launch(state, *launches.back());
  }
}

void await_program(AppState& state, const std::string& name) {
  state.known.session.program.emplace().name = name;
  state.known.catalogue.push_back(listed(awaited_name(state), "Its kernels appear here as they are launched."));
  state.known.catalogue.back().title = state.known.catalogue.back().short_title = name;
  state.derived.advice.places.reset();  // as above
  state.choice.kernel = awaited_name(state);
  state.choice.selected.reset();
  state.view.program_follow = {{}, state.view.axes};
}

void follow_program(AppState& state) {
  const bool followed = is_followed(state);
  if (followed) {
    choose_gpu_of_program(state);
  }
  const bool any_new = join_new_launches(state);
  order_trail(state);
  const std::vector<const Point*> launches = program_launches(state);
  if (launches.empty()) {
    return;
  }
  if (followed) {
    select_launch(state, *launches.back());
    state.view.program_follow.launch = state.choice.selected;
  }
  forget_program(state);
  if (followed && any_new && state.view.axes == state.view.program_follow.axes) {
    state.view.axes = state.view.program_follow.axes = fitted_axes(state, roofs_of(state));
  }
}

void forget_program(AppState& state) {
  const std::string awaited = awaited_name(state);
  if (std::erase_if(state.known.catalogue, [&](const Manifest& each) { return each.name == awaited; }) == 0) {
    return;
  }
  state.derived.advice.places.reset();  // as above
  reconcile(state);
}

}  // namespace rooftile::scene
