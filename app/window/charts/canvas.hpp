// What both charts share: a plot area in pixels, and rows of dots placed on it.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "app/window/kit/widgets.hpp"

namespace rooftile::window {

struct Canvas {
  const AppState& state;
  ImDrawList& draw;
  ImVec2 min, max;  // of the plot area
};

struct PlacedDot {
  const Dot* dot = nullptr;
  ImVec2 at;
};

struct PlacedRow {
  const ChartRow* row = nullptr;
  std::vector<PlacedDot> dots;  // of one height
  bool current = false;

  const PlacedDot* find(MemoryLevel level) const;
};

// Pixels of a dot of the row with this index; empty where it cannot stand.
using Placing = std::function<std::optional<ImVec2>(const ChartRow& row, const Dot& dot, std::size_t index)>;

// The rows of the state's chart; the newest is still under way while its move is animated.
std::vector<PlacedRow> place_rows(const AppState& state, const Placing& placing);
// 0 at the start of the move, 1 when it is over.
double motion_progress(const AppState& state);

void draw_trail(const Canvas& canvas, const std::vector<PlacedRow>& rows);
void draw_rows(const Canvas& canvas, const std::vector<PlacedRow>& rows);
void draw_labels(const Canvas& canvas, const std::vector<PlacedRow>& rows);
void draw_ghost(const Canvas& canvas, const Placing& placing);
// A label in a box above the place, below it where the plot ends.
void draw_flag(const Canvas& canvas, ImVec2 at, std::string_view strong, std::string_view plain);

// The dot under the pointer says what it is. True if there was one.
bool draw_dot_hint(const Canvas& canvas, const std::vector<PlacedRow>& rows);

}  // namespace rooftile::window
