#include "app/scene/map/map_predictions.hpp"

#include <utility>

#include "app/scene/chart/chart_rows.hpp"
#include "app/scene/chart/kernel_code.hpp"
#include "app/scene/map/cell_figures.hpp"

namespace rooftile::scene {
namespace {

bool is_faster(const std::optional<CellFigures>& a, const std::optional<CellFigures>& b) {
  return a && a->time && (!b || !b->time || *a->time < *b->time);
}

}  // namespace

std::optional<CellFigures> MapPredictions::predict(std::size_t cell, const Gpu& device) {
  EmptyCell& empty = kept_.cells[cell];
  predict_as_dialled(empty, device);
  predict_over_others(cell);
  const auto& over_others = kept_.bests[cell].figures;
  return is_faster(over_others, empty.predicted) ? over_others : empty.predicted;
}

void MapPredictions::predict_as_dialled(EmptyCell& cell, const Gpu& device) const {
  if (!cell.legal) {
    return;
  }
  const auto compiled = compiled_before(state_, cell.place, device);
  if (!std::exchange(cell.asked, true) || cell.compiled != compiled) {
    cell.compiled = compiled;
    const auto model_says = ghost_at(state_, roofs_, cell.place);
    cell.why_not = model_says ? why_not_predicted(model_says->point).value_or("") : "";
    cell.predicted = is_unread(cell.place) ? unread(cell.place) : predicted(model_says);
  }
}

void MapPredictions::predict_over_others(std::size_t cell) {
  BestOfOthers& best = kept_.bests[cell];
  for (; best.asked < kept_.others.size() && predictions_left_ > 0; --predictions_left_) {
    const Parameters place = grid_.place_of(cell, kept_.others[best.asked++]);
    const auto there = predicted(ghost_at(state_, roofs_, place));
    if (is_faster(there, best.figures) && !why_wrong(state_, there->place)) {
      best.figures = there;
    }
  }
  unfinished_ |= best.asked < kept_.others.size();
}

bool MapPredictions::is_unread(const Parameters& place) const {
  return is_read_from_code(kernel(state_)) && !code_at(state_, place);
}

// Without a time, for what is known is a bound.
CellFigures MapPredictions::unread(const Parameters& place) const {
  return {.place = place,
          .time = {},
          .value = {},
          .over_model = {},
          .has_flops = false,
          .facts = {why_no_code(state_, place)}};
}

std::optional<CellFigures> MapPredictions::predicted(const std::optional<Ghost>& model_says) const {
  return model_says && !why_not_predicted(model_says->point) && !is_unread(model_says->point.parameters)
             ? std::optional(figures_of(state_, roofs_, metric_, model_says->point))
             : std::nullopt;
}

}  // namespace rooftile::scene
