// The grid and the words around a roofline.
#pragma once

#include "app/scene/paper/log_axes.hpp"
#include "app/scene/picture/chart_picture.hpp"

namespace rooftile::scene {

// From intensity and performance to pixels.
struct RooflineScales {
  LogScale x, y;

  Spot at(double intensity, double performance) const { return {x.at(intensity), y.at(performance)}; }
};
RooflineScales scales_of(const Axes& axes, const Rect& plot);

void lay_out_axes(ChartPicture& picture, ChartKind kind, const Axes& axes, const ChartFrame& frame);

}  // namespace rooftile::scene
