#include "app/scene/paper/layout.hpp"

#include <algorithm>

namespace rooftile::scene {
namespace {

constexpr float margin = 10, panel_gap = 10;
constexpr float top_height = 52, status_height = 34;
constexpr float left_width = 296, side_width = 320;
constexpr float narrowest_columns = 540;  // both together, at which their words still fit
constexpr float lowest_columns = 534;     // the chosen family, the dials and what was compiled
constexpr float enough_for_side = 740;    // verdict, occupancy and proof above each other
constexpr float smallest_chart = 180, smallest_points = 84;
constexpr float tabs_height = 28;

constexpr float folded_margin = 8, folded_gap = 6;
constexpr float low = 440, low_top_height = 40;
constexpr float rail_width = 78;                           // an icon beside the longest word
constexpr float lesson_width = 340, lesson_share = 0.36f;  // of a window that is too narrow for that
constexpr float strip_height = 128;                        // the dial and the verdict
constexpr float dial_share = 0.58f;                        // of the strip
constexpr float drawer_width = 350;
constexpr float message_height = 32;
constexpr float smallest_width = 640, smallest_height = 360;

// The width that both columns may take together: the chart keeps half of the window.
float room_for_columns(float width) {
  return width / 2 - 2 * margin - 2 * panel_gap;
}

bool has_room_for_columns(float width, float height) {
  return room_for_columns(width) >= narrowest_columns && height - top_height - status_height >= lowest_columns;
}

// A part that would be lower than half its smallest height is hidden rather than squeezed.
void share_middle(Layout& layout, const Rect& middle, float chart_share) {
  const float space = middle.height - panel_gap - tabs_height;
  float chart = space * chart_share;
  layout.chart_shown = chart >= smallest_chart / 2;
  layout.points_shown = !layout.chart_shown || space - chart >= smallest_points / 2;
  if (!layout.chart_shown) {
    chart = 0;
  } else if (!layout.points_shown) {
    chart = space;
  } else {
    chart = std::max(std::min(chart, space - smallest_points), smallest_chart);
  }
  layout.chart = {middle.x, middle.y, middle.width, chart};
  layout.divider = {middle.x, middle.y + chart, middle.width, panel_gap};
  layout.points = {middle.x, layout.divider.bottom(), middle.width, space - chart};
  layout.tabs = {middle.x, layout.points.bottom(), middle.width, tabs_height};
}

Layout with_columns(float width, float height, float chart_share) {
  Layout layout;
  const float narrowing = std::min(1.0f, room_for_columns(width) / (left_width + side_width));
  layout.top = {0, 0, width, top_height};
  layout.status = {0, height - status_height, width, status_height};
  const float column = layout.status.y - layout.top.bottom();
  layout.left = {margin, layout.top.bottom(), left_width * narrowing, column};
  const float side = side_width * narrowing;
  layout.side = {width - margin - side, layout.top.bottom(), side, column};
  const float middle_x = layout.left.right() + panel_gap;
  share_middle(layout, {middle_x, layout.top.bottom(), layout.side.x - panel_gap - middle_x, column},
               chart_share);
  layout.side_as_tabs = column < enough_for_side;
  return layout;
}

// The chart keeps two thirds of the window's height; the strip below it has what is left.
Layout folded(float width, float height, Beside beside) {
  Layout layout;
  layout.folded = true;
  layout.points_shown = false;
  const bool alone = beside == Beside::nothing;
  layout.top = {0, 0, width, height < low || alone ? low_top_height : top_height};
  const float y = layout.top.bottom(), space = height - y - folded_margin;
  if (beside == Beside::lesson) {
    layout.lesson = {folded_margin, y, std::min(lesson_width, width * lesson_share), space};
  } else if (!alone) {
    layout.rail = {folded_margin, y, rail_width, space};
  }
  const float x = alone ? folded_margin : std::max(layout.lesson.right(), layout.rail.right()) + folded_gap;
  const float content = width - folded_margin - x;
  const float strip = std::min(strip_height, space - folded_gap - height * 2 / 3);
  layout.chart = {x, y, content, space - folded_gap - strip};
  const float strip_y = layout.chart.bottom() + folded_gap;
  layout.dial = {x, strip_y, (content - folded_gap) * dial_share, strip};
  const float verdict_x = layout.dial.right() + folded_gap;
  layout.verdict = {verdict_x, strip_y, layout.chart.right() - verdict_x, strip};
  layout.drawer = {x, y, drawer_width, space};
  layout.wide_drawer = layout.chart;
  layout.message = {x, layout.chart.bottom() - message_height, content, message_height};
  return layout;
}

void scale_up(Layout& layout, float scale) {
  for (Rect* each : {&layout.top, &layout.chart, &layout.lesson, &layout.left, &layout.divider, &layout.points,
                     &layout.tabs, &layout.side, &layout.status, &layout.rail, &layout.dial, &layout.verdict,
                     &layout.drawer, &layout.wide_drawer, &layout.message}) {
    *each = {each->x * scale, each->y * scale, each->width * scale, each->height * scale};
  }
}

}  // namespace

Layout arrange(float width, float height, float scale, float chart_share, Beside beside) {
  const float w = width / scale, h = height / scale;
  const bool has_columns = beside == Beside::panels && has_room_for_columns(w, h);
  Layout layout = has_columns ? with_columns(w, h, chart_share) : folded(w, h, beside);
  scale_up(layout, scale);
  return layout;
}

float fitting_scale(float width, float height, float wanted) {
  return std::min({wanted, width / smallest_width, height / smallest_height});
}

}  // namespace rooftile::scene
