#include "app/scene/chart/chart_beside.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/record/program/program_points.hpp"
#include "analysis/text/format.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/chart/chart_rows.hpp"

namespace rooftile::scene {
namespace {

const Point* program_launch_beside(const AppState& state, const Point& point) {
  ProgramIdentity wanted = program_identity(point);
  std::get<0>(wanted) = state.view.beside;
  const Point* newest = nullptr;
  for (const Point& other : state.known.session.log->points) {
    if (other.kernel == point.kernel && other.program && landed(other) && program_identity(other) == wanted) {
      newest = &other;
    }
  }
  return newest;
}

const Point* dialled_launch_beside(const AppState& state, const Point& point) {
  const auto manifest = std::ranges::find(state.known.catalogue, point.kernel, &Manifest::name);
  if (manifest == state.known.catalogue.end()) {
    return nullptr;
  }
  const auto id = state.known.recordings.find(state.view.beside, point.kernel, point.caches,
                                              complete(*manifest, point.parameters));
  return id ? find_point(state, *id) : nullptr;
}

// Compares with the present launch, or prediction: "2.10 ms, 1.35x the time here".
std::string comparison(const AppState& state, const Point* present) {
  const Point* other = present ? launch_beside(state, *present) : nullptr;
  if (!other) {
    return present && present->program ? "no launch of this shape" : "no launch with these dials";
  }
  const Seconds time = other->timing->median;
  if (present->timing) {
    return fmt::format("{}, {:.2f}x the time here", text(time), time / present->timing->median);
  }
  const auto& predicted = present->modelled.time;
  return text(time) + (predicted ? fmt::format(", {:.2f}x the time predicted here", time / *predicted) : "");
}

}  // namespace

bool compares(const AppState& state) {
  return !state.view.beside.empty() && state.view.beside != state.choice.gpu;
}

const Point* launch_beside(const AppState& state, const Point& point) {
  if (!compares(state)) {
    return nullptr;
  }
  return point.program ? program_launch_beside(state, point) : dialled_launch_beside(state, point);
}

void add_beside(Chart& chart, const AppState& state) {
  if (!compares(state)) {
    return;
  }
  const Roofs roofs = roofs_of(state, state.view.beside);
  for (std::size_t i = 0; i < chart.rows.size(); ++i) {
    const Point* other = launch_beside(state, *find_point(state, chart.rows[i].id));
    const auto placement = other ? place_on_chart(state, *other, roofs) : std::nullopt;
    if (placement) {
      ChartRow row = chart_row(*other, *placement);
      row.emphasis = chart.rows[i].emphasis;
      row.freshness = chart.rows[i].freshness;
      row.figure = figure(*placement);
      chart.beside.push_back({i, std::move(row)});
    }
  }
  chart.legend = {state.choice.gpu + ": its roofs are drawn",
                  state.view.beside + ": " + comparison(state, current_point(state))};
}

}  // namespace rooftile::scene
