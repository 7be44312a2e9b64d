// The places of the panels in a window of a given size.
#pragma once

namespace rooftile::scene {

struct Rect {
  float x = 0, y = 0, width = 0, height = 0;
  float right() const { return x + width; }
  float bottom() const { return y + height; }
  bool empty() const { return width <= 0 || height <= 0; }
  bool operator==(const Rect&) const = default;
};

// A panel with an empty rectangle has no place in this window.
struct Layout {
  Rect top, chart;
  // A window with room for columns beside the chart.
  Rect left, divider, points, tabs, side, status;  // tabs: of points, which stay where they are below it
  bool side_as_tabs = false;                       // too low for its three parts above each other
  bool chart_shown = true, points_shown = true;
  // A small or projected window: the columns fold into a rail, the dial and the verdict stand below the chart,
  // and what the rail opens covers a part of the chart (drawer) or all of it (wide_drawer).
  bool folded = false;
  Rect lesson;  // in place of the rail, while one is played; a presentation has neither
  Rect rail, dial, verdict, drawer, wide_drawer;
  Rect message;  // over the chart, while there is one
};

// The neighbour of the chart.
enum class Beside { panels, lesson, nothing };

// Sizes in pixels; the lengths in layout.cpp are those of scale 1. chart_share: of the middle column, 0..1;
// at its ends the divider lets one of the two fill the column. Without panels a window of any size folds.
Layout arrange(float width, float height, float scale, float chart_share, Beside beside = Beside::panels);

// The largest scale, up to the wanted one, at which a window of this size still holds the folded layout.
float fitting_scale(float width, float height, float wanted);

}  // namespace rooftile::scene
