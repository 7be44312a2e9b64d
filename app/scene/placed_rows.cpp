#include "app/scene/placed_rows.hpp"

#include "app/scene/chart_rows.hpp"

namespace rooftile::scene {

void PlacedRows::rest_on(const Basis& basis) {
  const PointList& points = basis.log->points;
  if (!(basis == basis_)) {
    basis_ = basis;
    rows_.clear();
  } else {
    for (const std::size_t position : points.changed_since(revision_)) {
      rows_.erase(points[position].id);
    }
  }
  revision_ = points.revision();
}

const ChartRow* PlacedRows::find(const Point& point) {
  const auto [row, is_new] = rows_.try_emplace(point.id);
  if (is_new) {
    row->second = work_out(point);
  }
  return row->second ? &*row->second : nullptr;
}

std::optional<ChartRow> PlacedRows::work_out(const Point& point) const {
  const auto placement = basis_.kind == ChartKind::instructions
                             ? place_instructions(point, basis_.roofs, basis_.bytes)
                             : place(point, basis_.roofs, basis_.bytes);
  const bool can_stand = placement && !placement->levels.empty() &&
                         placement->performance.has_value() == (basis_.kind != ChartKind::shares);
  return can_stand ? std::optional(chart_row(point, *placement)) : std::nullopt;
}

}  // namespace rooftile::scene
