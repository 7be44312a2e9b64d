#include "app/scene/chart/ladder.hpp"

#include <algorithm>

#include "analysis/verdict/explanation.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/launch/kernel_list.hpp"

namespace rooftile::scene {
namespace {

// On a GPU where nothing was launched: the least predicted time among the places that were visited.
const Point* fastest_predicted(const AppState& state, const Manifest& manifest) {
  const Parameters problem = problem_of(kernel(state), dialled(state));
  const Point* fastest = nullptr;
  for (const std::uint64_t id : state.choice.trail) {
    const Point* point = find_point(state, id);
    const bool is_like = point && point->id >= first_predicted && point->kernel == manifest.name &&
                         point->gpu == state.choice.gpu && point->caches == state.choice.caches &&
                         point->modelled.time && !point->failure &&
                         problem_of(manifest, complete(manifest, point->parameters)) == problem;
    if (is_like && (!fastest || *point->modelled.time < *fastest->modelled.time)) {
      fastest = point;
    }
  }
  return fastest;
}

}  // namespace

std::vector<Rung> all_rungs(const AppState& state) {
  std::vector<Rung> all;
  if (!state.view.ladder) {
    return all;
  }
  const auto fastest = fastest_launches(state);
  for (const Manifest& each : state.known.catalogue) {
    const auto launch = fastest.find(each.name);
    const Point* point = launch != fastest.end() ? launch->second : fastest_predicted(state, each);
    if (point && solve_one_problem(kernel(state), each)) {
      all.push_back({&each, point});
    }
  }
  return all;
}

std::vector<Rung> rungs(const AppState& state) {
  std::vector<Rung> all = all_rungs(state);
  std::erase_if(all, [&](const Rung& rung) { return state.view.ladder->hidden.contains(rung.kernel->name); });
  return all;
}

std::vector<const Point*> ladder_points(const AppState& state) {
  std::vector<const Point*> points;
  for (const Rung& rung : rungs(state)) {
    points.push_back(rung.point);
  }
  const Point* current = current_point(state);
  if (current && std::ranges::find(points, current) == points.end()) {
    points.push_back(current);
  }
  return points;
}

bool is_rung(const AppState& state, const Point& point) {
  return std::ranges::any_of(rungs(state), [&](const Rung& rung) { return rung.point->id == point.id; });
}

const Point* rung_below(const AppState& state, const Point& point) {
  const std::vector<Rung> all = rungs(state);
  const auto here = std::ranges::find_if(all, [&](const Rung& rung) { return rung.point->id == point.id; });
  return here != all.end() && here != all.begin() ? (here - 1)->point : nullptr;
}

}  // namespace rooftile::scene
