#include "app/scene/chart/placed_rows.hpp"

#include "app/scene/chart/chart_rows.hpp"

namespace rooftile::scene {
namespace {

std::optional<ChartRow> placed_row(const Point& point, const PlacedRows::Basis& basis) {
  const auto placement = basis.kind == ChartKind::instructions
                             ? place_instructions(point, basis.roofs, basis.bytes)
                             : place(point, basis.roofs, basis.bytes);
  const bool can_stand = placement && !placement->levels.empty() &&
                         placement->performance.has_value() == (basis.kind != ChartKind::shares);
  return can_stand ? std::optional(chart_row(point, *placement)) : std::nullopt;
}

}  // namespace

const ChartRow* PlacedRows::find(const Point& point) {
  const auto& row = rows_.of(point, [&](const Point& each) { return placed_row(each, rows_.basis()); });
  return row ? &*row : nullptr;
}

}  // namespace rooftile::scene
