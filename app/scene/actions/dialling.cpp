#include "app/scene/actions/dialling.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "analysis/manifest/neighbours.hpp"
#include "app/scene/actions/visits.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/launch/dials.hpp"
#include "app/scene/launch/program_list.hpp"
#include "app/scene/program/program_kernels.hpp"

namespace rooftile::scene {
namespace {

// The places one move away, of a dial or to another kernel, then those of two dials.
std::vector<Configuration> next_places(const AppState& state) {
  std::vector<Configuration> places = neighbours(kernel(state), configuration(state));
  for (const Manifest& other : state.known.catalogue) {
    if (other.name != state.choice.kernel && other.library.empty() && !is_of_program(other)) {
      const auto given = state.choice.given.find(other.name);
      places.push_back({other.name, given != state.choice.given.end() ? given->second : Parameters{}});
    }
  }
  std::ranges::move(two_dials_away(kernel(state), configuration(state)), std::back_inserter(places));
  return places;
}

// Chooses the shape that took most time.
void arrive_at_program(AppState& state) {
  const auto launches = program_launches(state, state.choice.kernel);
  if (!launches.empty()) {
    select_launch(state, *launches.back());
  }
}

// The dials stand at another place: measured there, or looked up.
Requests arrive(AppState& state) {
  state.choice.selected.reset();
  state.view.message.reset();
  if (is_of_program(kernel(state))) {
    arrive_at_program(state);
  } else if (mode(state) == Mode::recorded) {
    settle_on_recording(state);
  } else {
    return measure_here(state);
  }
  return {};
}

std::optional<Dial> find_dial(const AppState& state, const std::string& name) {
  const auto all = dials(state);
  const auto dial = std::ranges::find(all, name, &Dial::name);
  return dial != all.end() ? std::optional(*dial) : std::nullopt;
}

bool takes(const Manifest& kernel, const Place& place) {
  return std::ranges::all_of(place.values, [&](const auto& each) { return kernel.parameter(each.first); });
}

void look_at(AppState& state, const Manifest& kernel) {
  state.view.kernel_chosen = state.now;
  state.view.groups.erase(kernel.group);  // opens by itself
  state.view.dial = kernel.parameters.empty() ? "" : kernel.parameters.front().name;
}

}  // namespace

void fit_axes(AppState& state) {
  state.view.axes = fitted_axes(state, roofs_of(state));
}

void compare_with(AppState& state, const std::string& gpu) {
  state.view.beside = gpu != state.choice.gpu ? gpu : "";
  fit_axes(state);
}

Requests measure_here(const AppState& state) {
  const Gpu* device = gpu(state);
  const bool can_run = !is_of_program(kernel(state)) && !why_illegal(kernel(state), dialled(state)) &&
                       !(device && why_unfit(kernel(state), device->cc));
  if (mode(state) == Mode::recorded || !can_run) {
    return {};
  }
  return {MeasurePlace{configuration(state), next_places(state)}};
}

Requests measure_again(AppState& state) {
  if (mode(state) == Mode::recorded || is_of_program(kernel(state))) {
    return {};
  }
  state.choice.selected.reset();
  return measure_here(state);
}

Requests select_gpu(AppState& state, const std::string& name) {
  remember(state);
  if (state.view.beside == name) {
    state.view.beside = state.choice.gpu;
  }
  state.choice.gpu = name;
  Requests requests = arrive(state);
  fit_axes(state);
  return requests;
}

Requests select_kernel(AppState& state, const std::string& name) {
  const Manifest& wanted = find_kernel(state.known.catalogue, name);
  if (wanted.name == state.choice.kernel) {
    return {};
  }
  remember(state);
  const bool other_pipe = !state.choice.kernel.empty() && kernel(state).pipe != wanted.pipe;
  state.choice.kernel = name;
  if (other_pipe) {
    fit_axes(state);
  }
  look_at(state, wanted);
  const bool is_new = current_point(state) == nullptr;
  Requests requests = arrive(state);
  if (is_new) {
    visit_first_dial(state);
  }
  return requests;
}

Requests set_parameter(AppState& state, const std::string& name, double value) {
  if (!kernel(state).parameter(name) || dialled(state).at(name) == value) {
    return {};
  }
  Choice next = state.choice;
  next.given[next.kernel][name] = value;
  if (const auto reason = why_illegal(kernel(state), complete(kernel(state), next.given[next.kernel]))) {
    tell(state, Message::Kind::wrong, *reason);
    return {};
  }
  remember(state);
  state.choice = std::move(next);
  return arrive(state);
}

Requests step_parameter(AppState& state, const std::string& name, int step) {
  const auto dial = find_dial(state, name);
  if (!dial) {
    return {};
  }
  const int direction = step > 0 ? 1 : -1;
  const auto count = static_cast<std::ptrdiff_t>(dial->options.size());
  const DialOption* reached = nullptr;
  int left = std::abs(step);
  for (auto at = static_cast<std::ptrdiff_t>(dial->selected) + direction; at >= 0 && at < count && left > 0;
       at += direction) {
    const DialOption& option = dial->options[static_cast<std::size_t>(at)];
    if (!option.why_not) {
      reached = &option;
      --left;
    }
  }
  return reached ? set_parameter(state, name, reached->value) : Requests{};
}

Requests to_end_of_dial(AppState& state, const std::string& name, bool last) {
  const auto dial = find_dial(state, name);
  if (!dial) {
    return {};
  }
  const auto legal = [](const DialOption& option) { return !option.why_not; };
  const auto first = std::ranges::find_if(dial->options, legal);
  const auto end = std::find_if(dial->options.rbegin(), dial->options.rend(), legal);
  return first != dial->options.end() ? set_parameter(state, name, last ? end->value : first->value)
                                      : Requests{};
}

Requests follow_again(AppState& state, const std::string& name) {
  remember(state);
  state.choice.given[state.choice.kernel].erase(name);
  return arrive(state);
}

Requests set_caches(AppState& state, Caches caches) {
  if (caches == state.choice.caches) {
    return {};
  }
  remember(state);
  state.choice.caches = caches;
  return arrive(state);
}

Requests go_to(AppState& state, const Place& place) {
  if (!takes(kernel(state), place)) {
    return {};  // it was a place of the kernel before
  }
  remember(state);
  state.choice.caches = place.caches;
  state.choice.given[state.choice.kernel] = given_of(kernel(state), place.values);
  return arrive(state);
}

Requests follow_advice(AppState& state) {
  const auto& subject = state.derived.shown.subject;
  if (!subject || !subject->advice || !subject->advice->advice.move || subject->why_not) {
    return {};
  }
  const Advice& advice = subject->advice->advice;
  const Place place{advice.move->place, subject->point.caches};
  state.view.followed.reset();
  if (!advice.move->launch) {
    state.view.followed =
        Followed{place, state.choice.kernel, state.choice.gpu, advice.move->time, advice.here};
  }
  return go_to(state, place);
}

Requests go_to_launch(AppState& state, std::uint64_t id) {
  const Point* point = find_point(state, id);
  if (!point || !known_kernel(state.known.catalogue, point->kernel)) {
    return {};
  }
  remember(state);
  state.view.selection.clear();
  if (point->gpu == state.choice.gpu) {
    select_launch(state, *point);
    return {};
  }
  dial_to(state, *point);
  return arrive(state);
}

Requests step_shape(AppState& state, int step) {
  const std::vector<ShapeRow> shapes = shape_rows(state);
  if (shapes.empty()) {
    return {};  // another kernel was chosen in the same frame
  }
  const auto current = std::ranges::find(shapes, true, &ShapeRow::current);
  const auto last = static_cast<std::ptrdiff_t>(shapes.size()) - 1;
  const auto to = std::clamp<std::ptrdiff_t>(current - shapes.begin() + step, 0, last);
  const ShapeRow& shape = shapes.at(static_cast<std::size_t>(to));
  return shape.current ? Requests{} : go_to_launch(state, shape.id);
}

}  // namespace rooftile::scene
