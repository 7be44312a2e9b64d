#include "app/scene/layout.hpp"

#include <algorithm>

namespace rooftile::scene {
namespace {

constexpr float margin = 10, gap = 10;
constexpr float top_height = 52, status_height = 34;
constexpr float left_width = 296, side_width = 320;
constexpr float enough_for_side = 740;  // verdict, occupancy and proof above each other
constexpr float smallest_chart = 180, smallest_points = 84;

// Heights below which a part is hidden rather than squeezed.
void share_middle(Layout& layout, const Rect& middle, float scale, float chart_share) {
  const float space = middle.height - gap * scale;
  float chart = space * chart_share;
  layout.chart_shown = chart >= smallest_chart * scale / 2;
  layout.points_shown = !layout.chart_shown || space - chart >= smallest_points * scale / 2;
  if (!layout.chart_shown) {
    chart = 0;
  } else if (!layout.points_shown) {
    chart = space;
  } else {
    chart = std::max(std::min(chart, space - smallest_points * scale), smallest_chart * scale);
  }
  layout.chart = {middle.x, middle.y, middle.width, chart};
  layout.divider = {middle.x, middle.y + chart, middle.width, gap * scale};
  layout.points = {middle.x, layout.divider.bottom(), middle.width, space - chart};
}

}  // namespace

Layout arrange(float width, float height, float scale, float chart_share) {
  Layout layout;
  const float edge = margin * scale;
  layout.top = {0, 0, width, top_height * scale};
  layout.status = {0, height - status_height * scale, width, status_height * scale};
  const float column = layout.status.y - layout.top.bottom();
  layout.left = {edge, layout.top.bottom(), left_width * scale, column};
  layout.side = {width - edge - side_width * scale, layout.top.bottom(), side_width * scale, column};
  const float middle_x = layout.left.right() + gap * scale;
  const Rect middle{middle_x, layout.top.bottom(), std::max(0.0f, layout.side.x - gap * scale - middle_x),
                    column};
  share_middle(layout, middle, scale, chart_share);
  layout.side_as_tabs = column < enough_for_side * scale;
  return layout;
}

}  // namespace rooftile::scene
