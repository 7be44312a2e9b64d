#include "app/scene/actions/predicted_places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "analysis/manifest/neighbours.hpp"
#include "analysis/text/format.hpp"
#include "app/scene/actions/dialling.hpp"
#include "app/scene/actions/visits.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/map/sweep_plan.hpp"
#include "app/scene/program/program_words.hpp"

namespace rooftile::scene {
namespace {

// Gives it the next id.
std::uint64_t keep(Knowledge& known, Point point) {
  point.id = first_predicted + known.predicted.size();
  known.predicted.push_back(std::move(point));
  return known.predicted.back().id;
}

// What the user gave to an older prediction of the place goes to the newer one.
void take_over(Choice& choice, std::uint64_t before, std::uint64_t id) {
  std::ranges::replace(choice.trail, before, id);
  if (choice.pinned.erase(before) > 0) {
    choice.pinned.insert(id);
  }
  if (auto name = choice.names.extract(before)) {
    name.key() = id;
    choice.names.insert(std::move(name));
  }
  if (choice.selected == before) {
    choice.selected = id;
  }
}

// Of the places of the sweep, those that the model gives a time.
std::vector<Point> predictions(const AppState& state) {
  const Roofs roofs = roofs_of(state);
  std::vector<Point> points;
  for (const Configuration& each : sweep_configurations(state)) {
    auto there = ghost_at(state, roofs, each.parameters);
    if (there && !there->point.failure && there->point.modelled.time) {
      points.push_back(std::move(there->point));
    }
  }
  return points;
}

std::set<Parameters> visited_places(const AppState& state) {
  std::set<Parameters> places;
  for (const std::uint64_t id : state.choice.trail) {
    const Point* point = find_point(state, id);
    if (point && point->kernel == state.choice.kernel && point->gpu == state.choice.gpu &&
        point->caches == state.choice.caches) {
      places.insert(point->parameters);
    }
  }
  return places;
}

}  // namespace

void visit_predicted(AppState& state) {
  auto here = mode(state) == Mode::predicted ? ghost(state, roofs_of(state)) : std::nullopt;
  const Point* current = current_point(state);
  const bool is_launch = current && current->id < first_predicted;  // that failed, or that the user selected
  if (!here || is_launch) {
    return;
  }
  if (!current) {
    visit(state.choice, keep(state.known, std::move(here->point)));
    return;
  }
  here->point.id = current->id;
  if (*current != here->point) {
    take_over(state.choice, here->point.id, keep(state.known, here->point));
  }
}

void visit_all_predicted(AppState& state) {
  remember(state);
  const std::set<Parameters> visited = visited_places(state);
  for (Point& point : predictions(state)) {
    if (!visited.contains(point.parameters)) {
      visit(state.choice, keep(state.known, std::move(point)));
    }
  }
}

Requests go_to_predicted_best(AppState& state) {
  const std::vector<Point> points = predictions(state);
  const auto best = std::ranges::min_element(points, {}, [&](const Point& point) {
    return std::pair(*point.modelled.time, steps_between(kernel(state), dialled(state), point.parameters));
  });
  if (best == points.end()) {
    return {};
  }
  Requests requests = go_to(state, {best->parameters, best->caches});
  tell(state, Message::Kind::done,
       fmt::format("The least predicted time of {}: {}. Nothing was launched.",
                   counted(static_cast<double>(points.size()), "place"), text(*best->modelled.time)));
  return requests;
}

}  // namespace rooftile::scene
