// Where the panels stand in a window of a given size.
#pragma once

namespace rooftile::scene {

struct Rect {
  float x = 0, y = 0, width = 0, height = 0;
  float right() const { return x + width; }
  float bottom() const { return y + height; }
  bool operator==(const Rect&) const = default;
};

struct Layout {
  Rect top, left, chart, divider, points, side, status;
  bool side_as_tabs = false;  // too low for its three parts above each other
  bool chart_shown = true, points_shown = true;
};

// Sizes in pixels; scale 1 is for which the lengths below are meant. chart_share: of the middle column, 0..1;
// at its ends the divider lets one of the two fill the column.
Layout arrange(float width, float height, float scale, float chart_share);

}  // namespace rooftile::scene
