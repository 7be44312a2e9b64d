#include "app/scene/chart/chart_beside.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/text/format.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/chart/chart_rows.hpp"

namespace rooftile::scene {
namespace {

// The newest at the same place with the same caches.
const Point* launch_beside(const AppState& state, const Point& point) {
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
    return "no launch with these dials";
  }
  const Seconds time = other->timing->median;
  if (present->timing) {
    return fmt::format("{}, {:.2f}x the time here", text(time), time / present->timing->median);
  }
  const auto& predicted = present->modelled.time;
  return text(time) + (predicted ? fmt::format(", {:.2f}x the time predicted here", time / *predicted) : "");
}

}  // namespace

void add_beside(Chart& chart, const AppState& state) {
  if (state.view.beside.empty() || state.view.beside == state.choice.gpu) {
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
